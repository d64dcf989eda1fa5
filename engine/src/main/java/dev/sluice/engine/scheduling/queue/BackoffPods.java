package dev.sluice.engine.scheduling.queue;

import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pods that back off after a failure. Unschedulable pods are kept apart from pods with errors:
 * if no pod is active, the first unschedulable one may be tried before its backoff ends.
 *
 * <p>Threads: none; they belong to the queue.
 */
final class BackoffPods {
  private static final Comparator<QueuedPod> ORDER =
      Comparator.comparing(QueuedPod::pauseEnds).thenComparing(QueuedPod.ORDER);

  private final TreeSet<QueuedPod> rejected = new TreeSet<>(ORDER);
  private final TreeSet<QueuedPod> broken = new TreeSet<>(ORDER);

  private SortedSet<QueuedPod> of(QueuedPod queued) {
    return queued.errors() == 0 ? rejected : broken;
  }

  void add(QueuedPod queued) {
    of(queued).add(queued);
  }

  void remove(QueuedPod queued) {
    of(queued).remove(queued);
  }

  /** The pod that may be tried before its backoff ends; null if there is none. */
  @Nullable QueuedPod early() {
    return rejected.isEmpty() ? null : rejected.first();
  }

  /** Removes a pod whose backoff has ended; null if there is none. */
  @Nullable QueuedPod takeRested(Instant now) {
    QueuedPod rested = takeRested(rejected, now);
    return rested == null ? takeRested(broken, now) : rested;
  }

  private static @Nullable QueuedPod takeRested(SortedSet<QueuedPod> some, Instant now) {
    return some.isEmpty() || some.first().pauses(now) ? null : some.removeFirst();
  }

  /** When the first backoff is over: in the second after the one in which it ends. */
  Optional<Instant> nextEnd() {
    return Stream.of(rejected, broken)
        .filter(some -> !some.isEmpty())
        .map(some -> some.first().pauseEnds().plusSeconds(1))
        .min(Comparator.naturalOrder());
  }

  int size() {
    return rejected.size() + broken.size();
  }
}
