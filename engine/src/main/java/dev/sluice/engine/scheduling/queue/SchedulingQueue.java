package dev.sluice.engine.scheduling.queue;

import dev.sluice.engine.scheduling.Schedulers;
import dev.sluice.engine.scheduling.cluster.ClusterState;
import dev.sluice.engine.scheduling.cluster.NodeState;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.cluster.PodSignature;
import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.engine.scheduling.framework.Profile;
import dev.sluice.engine.scheduling.plugins.NodeFilters;
import dev.sluice.engine.scheduling.queue.Arrivals.Cause;
import dev.sluice.model.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The pods that wait for a node: those that may try, those that pause after a failure, and those
 * that nothing has happened for since they failed.
 *
 * <p>Those that failed stand together with their {@link UnschedulableGroup}. What happens wakes
 * only the first of each kin that it may help; the next one follows when that one found a place. So
 * the outcome is the same as if all were woken, but an event costs one attempt for each kin and not
 * one for each pod.
 *
 * <p>Threads: none; it belongs to the scheduler.
 */
public final class SchedulingQueue {
  /** After so long a pod tries again although nothing seems to have helped it. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final long FLUSH_SECONDS = 30;

  /** Where a pod is, and who fails with it if it is asleep. */
  private record Place(SubQueue part, QueuedPod queued, @Nullable UnschedulableGroup kin) {}

  private final ClusterState cluster;
  private final PodBackoff backoff;

  /** By which a pod is judged. */
  private final Function<PodSignature, NodeFilters> filters;

  private final Arrivals arrivals = new Arrivals();
  private final LinkedHashMap<ObjectKey, Place> places = new LinkedHashMap<>();
  private final TreeSet<QueuedPod> active = new TreeSet<>(QueuedPod.ORDER);
  private final BackoffPods pausing = new BackoffPods();
  private final UnschedulablePods asleep = new UnschedulablePods();

  /** The kin from which a pod was woken, until it is known what became of it. */
  private final LinkedHashMap<ObjectKey, UnschedulableGroup> woken = new LinkedHashMap<>();

  private long sequence;

  /** A queue for pods of the default profile. */
  public SchedulingQueue(ClusterState cluster) {
    this.cluster = cluster;
    this.backoff = PodBackoff.DEFAULT;
    var only = new NodeFilters(cluster.resources(), Profile.DEFAULT);
    this.filters = _ -> only;
  }

  /** A queue for pods of several profiles. */
  public SchedulingQueue(ClusterState cluster, Schedulers schedulers, PodBackoff backoff) {
    this.cluster = cluster;
    this.backoff = backoff;
    this.filters = shape -> schedulers.of(shape).filters();
  }

  /** Takes in a pod that is new, or not what it was: it may try once its pause is over. */
  public void add(PodFacts pod, Instant now) {
    Place before = places.get(pod.key());
    if (before == null) {
      place(SubQueue.ACTIVE, QueuedPod.of(pod, now, ++sequence), null, Cause.POD_ADDED);
    } else if (!before.queued().pod().equals(pod)) {
      drop(before);
      ready(before.queued().with(pod), Cause.POD_CHANGED, now);
    }
  }

  /** Forgets a pod that does not wait any more. */
  public void remove(ObjectKey key, Instant now) {
    Place place = places.remove(key);
    if (place != null) {
      drop(place);
    }
    wakeNextOfKin(key, now);
  }

  private void place(
      SubQueue part, QueuedPod queued, @Nullable UnschedulableGroup kin, Cause cause) {
    arrivals.count(part, cause);
    places.put(queued.key(), new Place(part, queued, kin));
    switch (part) {
      case ACTIVE -> active.add(queued);
      case BACKOFF -> pausing.add(queued);
      case UNSCHEDULABLE -> asleep.add(Objects.requireNonNull(kin), queued);
    }
  }

  private void drop(Place place) {
    switch (place.part()) {
      case ACTIVE -> active.remove(place.queued());
      case BACKOFF -> pausing.remove(place.queued());
      case UNSCHEDULABLE -> asleep.remove(Objects.requireNonNull(place.kin()), place.queued());
    }
  }

  /**
   * The pod that tries next. If none may, one that pauses need not wait for the end of its pause,
   * unless it pauses because something went wrong.
   */
  public Optional<QueuedPod> pop(Instant now) {
    endPauses(now);
    QueuedPod next = active.isEmpty() ? pausing.early() : active.first();
    if (next == null) {
      return Optional.empty();
    }
    Place place = places.remove(next.key());
    if (place != null) {
      drop(place);
    }
    return Optional.of(next.attempted());
  }

  private void endPauses(Instant now) {
    QueuedPod rested = pausing.takeRested(now);
    while (rested != null) {
      place(SubQueue.ACTIVE, rested, null, Cause.PAUSE_ENDED);
      rested = pausing.takeRested(now);
    }
  }

  /** A popped pod found a node, and leaves. */
  public void placed(QueuedPod popped, Instant now) {
    wakeNextOfKin(popped.key(), now);
  }

  /** A popped pod found none: it sleeps until something happens that may help. */
  public void rejected(QueuedPod popped, SortedSet<Plugin> plugins, Instant now) {
    woken.remove(popped.key());
    QueuedPod queued = popped.rejected(now, ++sequence, cluster.version(), backoff);
    UnschedulableGroup kin = UnschedulableGroup.of(queued.pod(), plugins);
    place(SubQueue.UNSCHEDULABLE, queued, kin, Cause.ATTEMPT_FAILED);
  }

  /** Something else went wrong with a popped pod: it tries again after a pause. */
  public void failed(QueuedPod popped, Instant now) {
    wakeNextOfKin(popped.key(), now);
    QueuedPod queued = popped.broken(now, ++sequence, backoff);
    place(SubQueue.BACKOFF, queued, null, Cause.ATTEMPT_FAILED);
  }

  private void wakeNextOfKin(ObjectKey key, Instant now) {
    UnschedulableGroup kin = woken.remove(key);
    if (kin != null) {
      wakeFirst(kin, Cause.KIN_WENT, now);
    }
  }

  private void wakeFirst(UnschedulableGroup kin, Cause cause, Instant now) {
    QueuedPod first = asleep.first(kin);
    if (first == null) {
      return;
    }
    Place place = places.get(first.key());
    if (place != null) {
      drop(place);
    }
    woken.put(first.key(), kin);
    ready(first, cause, now);
  }

  /** Lets a pod try, at once or after the pause that it still owes. */
  private void ready(QueuedPod queued, Cause cause, Instant now) {
    place(queued.pauses(now) ? SubQueue.BACKOFF : SubQueue.ACTIVE, queued, null, cause);
  }

  private void wake(Predicate<UnschedulableGroup> helped, Cause cause, Instant now) {
    for (UnschedulableGroup kin : asleep.kins()) {
      if (helped.test(kin)) {
        wakeFirst(kin, cause, now);
      }
    }
  }

  /**
   * A node came or became another: pods may fit there, or could push others away. If it is gone,
   * those that were promised room there must look for another.
   */
  public void nodeChanged(String name, Instant now) {
    Optional<NodeState> node = cluster.node(name);
    wake(
        kin ->
            kin.judgesCompany()
                || node.map(found -> !kin.needsRoom() || mayFit(kin, found))
                    .orElse(kin.nominatedNode().equals(name)),
        Cause.NODE_CHANGED,
        now);
  }

  /** A pod left a node, which may be gone itself, or room is kept there for one less. */
  public void roomFreed(String name, Instant now) {
    if (asleep.isEmpty()) {
      return;
    }
    Optional<NodeState> node = cluster.node(name);
    wake(
        kin ->
            kin.judgesCompany()
                || kin.nominatedNode().equals(name)
                || node.filter(found -> kin.needsRoom() && mayFit(kin, found)).isPresent(),
        Cause.POD_LEFT,
        now);
  }

  private boolean mayFit(UnschedulableGroup kin, NodeState node) {
    return kin.mayFit(node, filters.apply(kin.shape()));
  }

  /** A pod came to a node: some want to be near it, or may follow now that it is there. */
  public void podCame(PodFacts pod, Instant now) {
    if (!asleep.isEmpty()) {
      wake(kin -> kin.judgesCompany() && kin.welcomes(pod, cluster), Cause.POD_CAME, now);
    }
  }

  /** The labels of a namespace changed, by which pods may be selected. */
  public void namespaceChanged(Instant now) {
    wake(UnschedulableGroup::judgesCompany, Cause.NAMESPACE_CHANGED, now);
  }

  /** Something happened that only those care for whom one of these filters refused. */
  public void wakeRefusedBy(List<Plugin> plugins, Instant now) {
    wake(kin -> kin.isRefusedBy(plugins), Cause.OBJECT_CHANGED, now);
  }

  /** Wakes those that slept for long, unless nothing at all has happened since. */
  public void flush(Instant now) {
    wake(kin -> flushDue(kin).filter(due -> !due.isAfter(now)).isPresent(), Cause.WAITED_LONG, now);
  }

  private Optional<Instant> flushDue(UnschedulableGroup kin) {
    QueuedPod first = asleep.first(kin);
    if (first == null || first.failedAt() == cluster.version()) {
      return Optional.empty();
    }
    long second = first.since().plus(PATIENCE).getEpochSecond();
    long round = Math.floorDiv(second, FLUSH_SECONDS) + 1;
    return Optional.of(Instant.ofEpochSecond(round * FLUSH_SECONDS));
  }

  /** When somebody may try again although nothing happens. */
  public Optional<Instant> nextWakeUp() {
    var moments = new ArrayList<Instant>();
    pausing.nextEnd().ifPresent(moments::add);
    asleep.kins().forEach(kin -> flushDue(kin).ifPresent(moments::add));
    return moments.stream().min(Comparator.naturalOrder());
  }

  /** Whether somebody may try now. */
  public boolean isReady(Instant now) {
    endPauses(now);
    return !active.isEmpty() || pausing.early() != null;
  }

  /** How many pods sleep because of each filter, by the name of the scheduler they ask for. */
  public SortedMap<String, SortedMap<Plugin, Integer>> refused() {
    return asleep.refused();
  }

  /** How often pods came to the parts of the queue. */
  public SortedMap<Arrivals.Way, Long> arrivals() {
    return arrivals.read();
  }

  /** How many pods are in a part. */
  public int size(SubQueue part) {
    return switch (part) {
      case ACTIVE -> active.size();
      case BACKOFF -> pausing.size();
      case UNSCHEDULABLE -> places.size() - active.size() - pausing.size();
    };
  }
}
