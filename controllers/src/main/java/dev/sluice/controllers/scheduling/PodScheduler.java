package dev.sluice.controllers.scheduling;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.engine.placement.Fit;
import dev.sluice.engine.placement.Placement;
import dev.sluice.engine.placement.PodNeeds;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.Binding;
import dev.sluice.model.core.Pod;
import dev.sluice.model.core.PodSpec;
import dev.sluice.model.core.PodStatus;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.Event;
import java.util.List;
import java.util.Optional;

/**
 * Binds every pod that asks for this scheduler to a node that has room for it. A pod for which
 * there is none is told why, and waits until a node changes or room is freed on one.
 *
 * <p>Pods that must stand near or apart from others, or be spread over a topology, are not
 * supported yet: they stay pending and are told so. Preferences are not weighed.
 *
 * <p>Threads: reconciled by one thread at a time.
 */
public final class PodScheduler implements Controller {
  private static final List<String> NAMES = List.of("", "default-scheduler", "sluice");

  private final Cluster cluster;
  private final EventRecorder events;
  private final ClusterRoom room;
  private final WaitingPods waiting = new WaitingPods();

  public PodScheduler(Cluster cluster) {
    this.cluster = cluster;
    this.events = new EventRecorder(cluster, "default-scheduler");
    this.room = new ClusterRoom(cluster);
  }

  @Override
  public String name() {
    return "scheduler";
  }

  /** A node's key asks whether one of the waiting pods fits on it now. */
  @Override
  public List<Trigger> triggers() {
    return List.of(
        new Trigger(Kinds.NODE, this::nodeChanged), new Trigger(Kinds.POD, this::podChanged));
  }

  private List<ObjectKey> nodeChanged(Event event) {
    ObjectKey key = event.object().key(Kinds.NODE);
    room.changed(key);
    return event.type() == Event.Type.DELETED ? List.of() : List.of(key);
  }

  private List<ObjectKey> podChanged(Event event) {
    Pod pod = new Pod(event.object());
    room.changed(pod.key());
    boolean gone = event.type() == Event.Type.DELETED;
    if (!pod.isBound()) {
      return gone || event.before().isEmpty() || asksAnew(new Pod(event.before().get()), pod)
          ? List.of(pod.key())
          : List.of();
    }
    ObjectKey node = Kinds.NODE.key(pod.nodeName());
    boolean waited = event.before().isPresent() && !new Pod(event.before().get()).isBound();
    if (waited) {
      return List.of(pod.key(), node);
    }
    return gone || pod.isTerminal() ? List.of(node) : List.of();
  }

  /** A change of the status alone, such as our own, is no reason to look again. */
  private static boolean asksAnew(Pod before, Pod now) {
    return before.isDeleting() != now.isDeleting()
        || !before.object().spec().equals(now.object().spec());
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    room.catchUp();
    if (key.kind().equals(Kinds.NODE)) {
      fill(key.name());
    } else {
      schedule(key);
    }
    return Outcome.DONE;
  }

  private void fill(String node) {
    Optional<ObjectKey> next = firstFor(node);
    while (next.isPresent()) {
      schedule(next.get());
      room.catchUp();
      next = firstFor(node);
    }
  }

  private Optional<ObjectKey> firstFor(String node) {
    return room.node(node).flatMap(free -> waiting.first(needs -> Fit.fits(needs, free)));
  }

  private void schedule(ObjectKey key) {
    Optional<Pod> found = cluster.get(key).map(Pod::new).filter(PodScheduler::asks);
    if (found.isEmpty()) {
      waiting.remove(key);
      return;
    }
    Pod pod = found.get();
    Optional<String> unsupported = unsupported(pod.spec());
    if (unsupported.isPresent()) {
      waiting.remove(key);
      tell(pod, unsupported.get());
      return;
    }
    PodNeeds needs = PodNeeds.of(pod.spec());
    switch (Placement.of(needs, room.nodes())) {
      case Placement.On(String node) -> bind(pod, node);
      case Placement.Nowhere(String message) -> {
        waiting.add(pod, needs);
        tell(pod, message);
      }
    }
  }

  private static boolean asks(Pod pod) {
    return pod.isActive()
        && !pod.isBound()
        && !pod.spec().hasSchedulingGates()
        && NAMES.contains(pod.spec().schedulerName());
  }

  private static Optional<String> unsupported(PodSpec pod) {
    if (pod.requiresPodAffinity()) {
      return Optional.of(
          "required pod affinity and anti-affinity are not supported yet;"
              + " remove them from spec.affinity to have the pod scheduled");
    }
    if (pod.requiresSpread()) {
      return Optional.of(
          "topologySpreadConstraints with whenUnsatisfiable DoNotSchedule are not supported yet;"
              + " use ScheduleAnyway to have the pod scheduled");
    }
    return Optional.empty();
  }

  private void bind(Pod pod, String node) {
    cluster.post(pod.key(), "binding", Binding.of(pod, node).object());
    waiting.remove(pod.key());
    // The next decision must see this one, whether or not the watch has told of it.
    room.changed(pod.key());
    events.normal(
        pod.object(),
        "Scheduled",
        "Successfully assigned %s to %s".formatted(pod.object().path(), node));
  }

  private void tell(Pod pod, String message) {
    var condition = new Condition(PodStatus.POD_SCHEDULED, false, "Unschedulable", message);
    PodStatus status = pod.status().withCondition(condition, cluster.time().now());
    if (!status.equals(pod.status())) {
      cluster.patchStatus(Kinds.POD, pod.object(), status.tree());
      events.warning(pod.object(), "FailedScheduling", message);
    }
  }
}
