package dev.sluice.engine.scheduling.queue;

import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The counts of pods that entered each sub-queue, by cause.
 *
 * <p>Threads: none; they belong to the queue.
 */
public final class Arrivals {

  /** The event that moved a pod, as kube-scheduler names it where it does. */
  public enum Cause {
    POD_ADDED("PodAdd"),
    POD_CHANGED("PodUpdate"),
    ATTEMPT_FAILED("ScheduleAttemptFailure"),
    PAUSE_ENDED("BackoffComplete"),
    WAITED_LONG("UnschedulableTimeout"),
    NODE_CHANGED("NodeUpdate"),
    POD_LEFT("AssignedPodDelete"),
    POD_CAME("AssignedPodAdd"),
    NAMESPACE_CHANGED("NamespaceUpdate"),
    /** Volumes, claims, and other objects that a single filter reads. */
    OBJECT_CHANGED("ObjectUpdate"),
    /** An equivalent pod was scheduled, or is gone. */
    KIN_WENT("NextOfKin");

    private final String word;

    Cause(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }
  }

  /** A sub-queue, and the event that moved pods into it. */
  public record Way(SubQueue part, Cause cause) implements Comparable<Way> {
    private static final Comparator<Way> ORDER =
        Comparator.comparing(Way::part).thenComparing(Way::cause);

    @Override
    public int compareTo(Way other) {
      return ORDER.compare(this, other);
    }
  }

  private static final class Count {
    private long value;
  }

  private final Map<SubQueue, Map<Cause, Count>> counts = new EnumMap<>(SubQueue.class);

  void count(SubQueue part, Cause cause) {
    counts
        .computeIfAbsent(part, _ -> new EnumMap<>(Cause.class))
        .computeIfAbsent(cause, _ -> new Count())
        .value++;
  }

  /** The counts above zero. */
  SortedMap<Way, Long> read() {
    var read = new TreeMap<Way, Long>();
    counts.forEach((part, causes) ->
        causes.forEach((cause, count) -> read.put(new Way(part, cause), count.value)));
    return Collections.unmodifiableSortedMap(read);
  }
}
