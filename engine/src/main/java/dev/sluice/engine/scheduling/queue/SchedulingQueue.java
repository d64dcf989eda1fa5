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
 * The scheduling queue: active pods, pods that back off after a failure, and unschedulable pods
 * that wait for an event that may help them.
 *
 * <p>Unschedulable pods are grouped with their equivalent pods, by {@link UnschedulableGroup}. An
 * event requeues only the first pod of each group that it may help; the next one follows once that
 * one was scheduled. So the outcome is the same as if all were requeued, but an event costs one
 * attempt for each group and not one for each pod.
 *
 * <p>Threads: none; it belongs to the scheduler.
 */
public final class SchedulingQueue {
  /** After so long an unschedulable pod is tried again although no event seemed to help it. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final long FLUSH_SECONDS = 30;

  /** The sub-queue of a pod, and its group if it is unschedulable. */
  private record Place(SubQueue part, QueuedPod queued, @Nullable UnschedulableGroup group) {}

  private final ClusterState cluster;
  private final PodBackoff backoff;

  /** The filters of a pod's profile. */
  private final Function<PodSignature, NodeFilters> filters;

  private final Arrivals arrivals = new Arrivals();
  private final LinkedHashMap<ObjectKey, Place> places = new LinkedHashMap<>();
  private final TreeSet<QueuedPod> active = new TreeSet<>(QueuedPod.ORDER);
  private final BackoffPods backingOff = new BackoffPods();
  private final UnschedulablePods unschedulable = new UnschedulablePods();

  /** The groups of requeued pods, until the outcome of their attempts. */
  private final LinkedHashMap<ObjectKey, UnschedulableGroup> requeued = new LinkedHashMap<>();

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
    this.filters = signature -> schedulers.of(signature).filters();
  }

  /**
   * Adds a pod that is new or was updated: it becomes active, after its backoff if there is one.
   */
  public void add(PodFacts pod, Instant now) {
    Place before = places.get(pod.key());
    if (before == null) {
      place(SubQueue.ACTIVE, QueuedPod.of(pod, now, ++sequence), null, Cause.POD_ADDED);
    } else if (!before.queued().pod().equals(pod)) {
      drop(before);
      ready(before.queued().with(pod), Cause.POD_CHANGED, now);
    }
  }

  /** Removes a pod that was assigned or deleted. */
  public void remove(ObjectKey key, Instant now) {
    Place place = places.remove(key);
    if (place != null) {
      drop(place);
    }
    wakeNextOfKin(key, now);
  }

  private void place(
      SubQueue part, QueuedPod queued, @Nullable UnschedulableGroup group, Cause cause) {
    arrivals.count(part, cause);
    places.put(queued.key(), new Place(part, queued, group));
    switch (part) {
      case ACTIVE -> active.add(queued);
      case BACKOFF -> backingOff.add(queued);
      case UNSCHEDULABLE -> unschedulable.add(Objects.requireNonNull(group), queued);
    }
  }

  private void drop(Place place) {
    switch (place.part()) {
      case ACTIVE -> active.remove(place.queued());
      case BACKOFF -> backingOff.remove(place.queued());
      case UNSCHEDULABLE ->
          unschedulable.remove(Objects.requireNonNull(place.group()), place.queued());
    }
  }

  /**
   * Removes and returns the next pod to schedule. If none is active, a pod that backs off may be
   * tried early, unless it backs off because of an error.
   */
  public Optional<QueuedPod> pop(Instant now) {
    endPauses(now);
    QueuedPod next = active.isEmpty() ? backingOff.early() : active.first();
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
    QueuedPod ended = backingOff.takeRested(now);
    while (ended != null) {
      place(SubQueue.ACTIVE, ended, null, Cause.PAUSE_ENDED);
      ended = backingOff.takeRested(now);
    }
  }

  /** A popped pod was scheduled. */
  public void placed(QueuedPod popped, Instant now) {
    wakeNextOfKin(popped.key(), now);
  }

  /** A popped pod is unschedulable until an event that may help. */
  public void rejected(QueuedPod popped, SortedSet<Plugin> plugins, Instant now) {
    requeued.remove(popped.key());
    QueuedPod queued = popped.rejected(now, ++sequence, cluster.version(), backoff);
    UnschedulableGroup group = UnschedulableGroup.of(queued.pod(), plugins);
    place(SubQueue.UNSCHEDULABLE, queued, group, Cause.ATTEMPT_FAILED);
  }

  /** A popped pod failed with an error: it backs off and is tried again. */
  public void failed(QueuedPod popped, Instant now) {
    wakeNextOfKin(popped.key(), now);
    QueuedPod queued = popped.broken(now, ++sequence, backoff);
    place(SubQueue.BACKOFF, queued, null, Cause.ATTEMPT_FAILED);
  }

  private void wakeNextOfKin(ObjectKey key, Instant now) {
    UnschedulableGroup group = requeued.remove(key);
    if (group != null) {
      wakeFirst(group, Cause.KIN_WENT, now);
    }
  }

  private void wakeFirst(UnschedulableGroup group, Cause cause, Instant now) {
    QueuedPod first = unschedulable.first(group);
    if (first == null) {
      return;
    }
    Place place = places.get(first.key());
    if (place != null) {
      drop(place);
    }
    requeued.put(first.key(), group);
    ready(first, cause, now);
  }

  /** Requeues a pod, at once or after the rest of its backoff. */
  private void ready(QueuedPod queued, Cause cause, Instant now) {
    place(queued.pauses(now) ? SubQueue.BACKOFF : SubQueue.ACTIVE, queued, null, cause);
  }

  private void wake(Predicate<UnschedulableGroup> helped, Cause cause, Instant now) {
    for (UnschedulableGroup group : unschedulable.kins()) {
      if (helped.test(group)) {
        wakeFirst(group, cause, now);
      }
    }
  }

  /**
   * A node was added or updated: pods may fit there, or may preempt others. If it is gone, pods
   * that were nominated to it need another.
   */
  public void nodeChanged(String name, Instant now) {
    Optional<NodeState> node = cluster.node(name);
    wake(
        group ->
            group.considersOtherPods()
                || node.map(found -> !group.needsRoom() || mayFit(group, found))
                    .orElse(group.nominatedNode().equals(name)),
        Cause.NODE_CHANGED,
        now);
  }

  /** A pod left a node, which may be gone itself, or lost its nomination to it. */
  public void roomFreed(String name, Instant now) {
    if (unschedulable.isEmpty()) {
      return;
    }
    Optional<NodeState> node = cluster.node(name);
    wake(
        group ->
            group.considersOtherPods()
                || group.nominatedNode().equals(name)
                || node.filter(found -> group.needsRoom() && mayFit(group, found)).isPresent(),
        Cause.POD_LEFT,
        now);
  }

  private boolean mayFit(UnschedulableGroup group, NodeState node) {
    return group.mayFit(node, filters.apply(group.signature()));
  }

  /** A pod was assigned to a node: pods with affinity to it, or spread with it, may fit now. */
  public void podCame(PodFacts pod, Instant now) {
    if (!unschedulable.isEmpty()) {
      wake(
          group -> group.considersOtherPods() && group.welcomes(pod, cluster), Cause.POD_CAME, now);
    }
  }

  /** The labels of a namespace changed, which affinity terms may select. */
  public void namespaceChanged(Instant now) {
    wake(UnschedulableGroup::considersOtherPods, Cause.NAMESPACE_CHANGED, now);
  }

  /**
   * Requeues pods that one of these filters rejected, after an event that only those filters read.
   */
  public void wakeRefusedBy(List<Plugin> plugins, Instant now) {
    wake(group -> group.isRefusedBy(plugins), Cause.OBJECT_CHANGED, now);
  }

  /** Requeues pods that were unschedulable for long, unless nothing at all has changed since. */
  public void flush(Instant now) {
    wake(
        group -> flushDue(group).filter(due -> !due.isAfter(now)).isPresent(),
        Cause.WAITED_LONG,
        now);
  }

  private Optional<Instant> flushDue(UnschedulableGroup group) {
    QueuedPod first = unschedulable.first(group);
    if (first == null || first.failedAt() == cluster.version()) {
      return Optional.empty();
    }
    long second = first.since().plus(PATIENCE).getEpochSecond();
    long round = Math.floorDiv(second, FLUSH_SECONDS) + 1;
    return Optional.of(Instant.ofEpochSecond(round * FLUSH_SECONDS));
  }

  /** When the next pod may be tried without an event. */
  public Optional<Instant> nextWakeUp() {
    var times = new ArrayList<Instant>();
    backingOff.nextEnd().ifPresent(times::add);
    unschedulable.kins().forEach(group -> flushDue(group).ifPresent(times::add));
    return times.stream().min(Comparator.naturalOrder());
  }

  /** Whether a pod may be tried now. */
  public boolean isReady(Instant now) {
    endPauses(now);
    return !active.isEmpty() || backingOff.early() != null;
  }

  /** The number of unschedulable pods by scheduler name and rejecting filter. */
  public SortedMap<String, SortedMap<Plugin, Integer>> refused() {
    return unschedulable.refused();
  }

  /** How often pods entered each sub-queue, by cause. */
  public SortedMap<Arrivals.Way, Long> arrivals() {
    return arrivals.read();
  }

  /** The number of pods in a sub-queue. */
  public int size(SubQueue part) {
    return switch (part) {
      case ACTIVE -> active.size();
      case BACKOFF -> backingOff.size();
      case UNSCHEDULABLE -> places.size() - active.size() - backingOff.size();
    };
  }
}
