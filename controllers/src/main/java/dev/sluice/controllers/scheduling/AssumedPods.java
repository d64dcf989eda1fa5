package dev.sluice.controllers.scheduling;

import dev.sluice.engine.scheduling.cluster.ClusterState;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.cluster.VolumePlan;
import dev.sluice.engine.scheduling.framework.Placement;
import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.engine.scheduling.queue.QueuedPod;
import dev.sluice.engine.scheduling.queue.SchedulingQueue;
import dev.sluice.engine.scheduling.queue.WaitingPods;
import dev.sluice.model.ObjectKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The scheduler's assumptions: the nodes with their pods, the pending pods, and the pods that have
 * a reservation on a node but may not be bound yet. A decision holds here at once, so that the next
 * one builds on it, and is taken back if it could not be written.
 *
 * <p>Threads: none; they belong to the scheduler.
 */
final class AssumedPods {

  /** A pod and the decision to write about it. */
  record Step(QueuedPod queued, PodDecision decision) {}

  private final ClusterState state;
  private final SchedulingQueue queue;
  private final WaitingPods held;

  AssumedPods(ClusterState state, SchedulingQueue queue, WaitingPods held) {
    this.state = state;
    this.queue = queue;
    this.held = held;
  }

  /** Assumes that the placement found for a pod is done; returns what to write for it. */
  List<Step> follow(QueuedPod queued, Placement found, Instant now) {
    return switch (found) {
      case Placement.OnNode(String node) -> List.of(reserve(queued, node, now));
      case Placement.Unschedulable nowhere ->
          List.of(reject(queued, nowhere, queued.pod().nominatedNode(), now));
      case Placement.AfterPreemption after -> displace(queued, after, now);
    };
  }

  /** Reserves the node, and asks the permit plugins whether the pod may be bound there at once. */
  private Step reserve(QueuedPod queued, String node, Instant now) {
    PodFacts placed = queued.pod().nominatedTo("");
    state.volumes().promise(placed.key(), state.volumes().plan(placed, node, state));
    WaitingPods.Outcome outcome = held.ask(queued.with(placed), node, now);
    if (outcome instanceof WaitingPods.Refused(var nowhere)) {
      return reject(queued, nowhere, "", now);
    }
    state.place(placed, node);
    state.forgetNomination(placed.key());
    queue.placed(queued, now);
    queue.podCame(placed, now);
    return new Step(queued, decision(placed, node, outcome));
  }

  private PodDecision decision(PodFacts pod, String node, WaitingPods.Outcome outcome) {
    return switch (outcome) {
      case WaitingPods.Go _ -> new PodDecision.Bind(node);
      case WaitingPods.Hold(var waits) ->
          new PodDecision.Reserve(
              node,
              waits.by().equals(Plugin.VOLUME_BINDING)
                  ? state.volumes().promised(pod.key())
                  : VolumePlan.NONE);
      case WaitingPods.Refused(var nowhere) -> new PodDecision.MarkUnschedulable(nowhere, "");
    };
  }

  /**
   * Makes a pod wait as unschedulable until an event may help it.
   *
   * @param node the nominated node, kept if the answer says so
   */
  private Step reject(QueuedPod queued, Placement.Unschedulable nowhere, String node, Instant now) {
    PodFacts pod = queued.pod().nominatedTo(nowhere.keepsNomination() ? node : "");
    Optional<String> freed =
        pod.nominatedNode().isEmpty() ? state.forgetNomination(pod.key()) : Optional.empty();
    state.nominate(pod);
    queue.rejected(queued.with(pod), nowhere.plugins(), now);
    freed.ifPresent(room -> queue.roomFreed(room, now));
    return new Step(queued, new PodDecision.MarkUnschedulable(nowhere, node));
  }

  /** Preempts pods of lower priority on a node, to which the preemptor is nominated from now on. */
  private List<Step> displace(QueuedPod queued, Placement.AfterPreemption after, Instant now) {
    var steps = new ArrayList<Step>();
    for (PodFacts victim : after.victims()) {
      preempt(victim, after.node(), now).ifPresent(steps::add);
    }
    after.displaced().forEach(state::forgetNomination);
    reject(queued, after.nowhere(), after.node(), now);
    if (steps.size() == after.victims().size()) {
      queue.roomFreed(after.node(), now);
    }
    var decision =
        new PodDecision.Preempt(after.nowhere(), after.node(), after.victims(), after.displaced());
    steps.add(new Step(queued, decision));
    return steps;
  }

  /**
   * A victim that is bound is evicted. One that still waits for a permit just loses its
   * reservation; then this returns what to write about it.
   */
  private Optional<Step> preempt(PodFacts victim, String node, Instant now) {
    Optional<WaitingPods.Held> waiting = held.drop(victim.key());
    if (waiting.isEmpty()) {
      state.place(victim.leaving(), node);
      return Optional.empty();
    }
    state.take(victim.key());
    Placement.Unschedulable why = waiting.get().refusedBecause("preempted");
    return Optional.of(reject(waiting.get().queued(), why, "", now));
  }

  /** Continues with the waiting pods whose permit was granted or refused. */
  List<Step> follow(List<WaitingPods.Review> reviews, Instant now) {
    // First all reservations are given up: pods that are refused together must not requeue each
    // other.
    for (WaitingPods.Review review : reviews) {
      if (review.outcome() instanceof WaitingPods.Refused) {
        state.take(review.held().key()).ifPresent(node -> queue.roomFreed(node, now));
      }
    }
    var steps = new ArrayList<Step>();
    for (WaitingPods.Review review : reviews) {
      QueuedPod queued = review.held().queued();
      steps.add(
          review.outcome() instanceof WaitingPods.Refused(var nowhere)
              ? reject(queued, nowhere, "", now)
              : new Step(queued, decision(queued.pod(), review.held().node(), review.outcome())));
    }
    return steps;
  }

  /** The decision about a pod was written. */
  void written(QueuedPod queued, PodDecision decision) {
    switch (decision) {
      case PodDecision.Bind _ -> state.volumes().forget(queued.key());
      case PodDecision.Reserve reserve -> {
        if (!reserve.volumes().isEmpty()) {
          state.volumes().written(queued.key());
        }
      }
      case PodDecision.MarkUnschedulable _, PodDecision.Preempt _ -> {}
    }
  }

  /**
   * The decision about a pod could not be written: the pod loses its reservation and is queued
   * again.
   */
  void refused(QueuedPod queued, PodDecision decision, Instant now) {
    ObjectKey key = queued.key();
    if (decision instanceof PodDecision.Bind(String node)) {
      held.lost(queued.pod(), node);
    }
    held.drop(key);
    state.take(key).ifPresent(node -> queue.roomFreed(node, now));
    queue.remove(key, now);
    queue.failed(queued, now);
  }
}
