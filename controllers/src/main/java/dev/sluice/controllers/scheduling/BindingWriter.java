package dev.sluice.controllers.scheduling;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.engine.scheduling.cluster.Eviction;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.pod.Binding;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodStatus;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Deletion;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The writer of scheduling decisions: bindings, nominations, preemptions, and the condition and
 * events that say why a pod is pending.
 *
 * <p>Threads: safe.
 */
final class BindingWriter {
  private static final Logger LOG = LoggerFactory.getLogger(BindingWriter.class);

  private final Cluster cluster;
  private final String profile;
  private final SchedulerMetrics metrics;
  private final EventRecorder events;
  private final VolumeWriter volumes;

  /**
   * @param profile the scheduler name under which it writes
   */
  BindingWriter(Cluster cluster, String profile, SchedulerMetrics metrics) {
    this.cluster = cluster;
    this.profile = profile;
    this.metrics = metrics;
    this.events = new EventRecorder(cluster, profile);
    this.volumes = new VolumeWriter(cluster);
  }

  String profile() {
    return profile;
  }

  /** Returns false if the API server refused the decision. */
  boolean write(PodFacts pod, PodDecision decision) {
    metrics.writes(1);
    try {
      cluster
          .get(pod.key())
          .filter(found -> found.uid().equals(pod.uid()))
          .ifPresent(found -> write(new Pod(found), decision));
      return true;
    } catch (ApiException refused) {
      LOG.debug("{} is queued for another attempt: {}", pod.key(), refused.getMessage());
      switch (decision) {
        case PodDecision.Bind _ -> reportRefusal(pod, "Bind plugin \"DefaultBinder\"", refused);
        case PodDecision.Reserve(_, var plan) when !plan.isEmpty() ->
            reportRefusal(pod, "PreBind plugin \"VolumeBinding\"", refused);
        case PodDecision.Preempt(var nowhere, String node, _, _) when !isRace(refused) ->
            reportRefusal(
                pod,
                "Unschedulable",
                "%s preemption: %s".formatted(nowhere.message(), refused.getMessage()),
                node);
        case PodDecision.Reserve _, PodDecision.MarkUnschedulable _, PodDecision.Preempt _ -> {}
      }
      return false;
    } finally {
      metrics.writes(-1);
    }
  }

  /**
   * A refused write appears in the pod's condition, so that its user learns why it is still
   * pending.
   */
  private void reportRefusal(PodFacts pod, String step, ApiException refused) {
    reportRefusal(
        pod, "SchedulerError", "running %s: %s".formatted(step, refused.getMessage()), "");
  }

  private void reportRefusal(PodFacts pod, String reason, String message, String nominatedNode) {
    try {
      cluster
          .get(pod.key())
          .filter(found -> found.uid().equals(pod.uid()))
          .map(Pod::new)
          .filter(found -> found.isActive() && !found.isBound())
          .ifPresent(found -> markUnschedulable(found, reason, message, nominatedNode));
    } catch (ApiException again) {
      LOG.debug(
          "the condition of {} that says why it is pending was not written: {}",
          pod.key(),
          again.getMessage());
    }
  }

  /** Another writer was faster; the next attempt sees its change. */
  private static boolean isRace(ApiException refused) {
    return refused.is(ApiFailure.Reason.CONFLICT) || refused.is(ApiFailure.Reason.NOT_FOUND);
  }

  private void write(Pod pod, PodDecision decision) {
    switch (decision) {
      case PodDecision.Bind(String node) -> bind(pod, node);
      case PodDecision.Reserve(String node, var plan) -> {
        nominate(pod, node);
        volumes.write(plan);
      }
      case PodDecision.MarkUnschedulable(var nowhere, String nominated) ->
          markUnschedulable(
              pod, "Unschedulable", nowhere.message(), nowhere.keepsNomination() ? nominated : "");
      case PodDecision.Preempt(var nowhere, String node, var victims, var displaced) -> {
        displaced.forEach(this::forgetNomination);
        // The nomination comes first: after a stop in between, victims must not have been deleted
        // in vain.
        nominateForPreemption(pod, nowhere.message(), node);
        victims.forEach(victim -> evict(victim, pod, node));
      }
    }
  }

  /**
   * A nomination that is already written is not repeated, lest it hide why the victims still run.
   */
  private void nominateForPreemption(Pod pod, String message, String node) {
    boolean stands =
        pod.status().nominatedNodeName().equals(node)
            && pod.status().message(PodStatus.POD_SCHEDULED).startsWith(message);
    if (!stands) {
      markUnschedulable(pod, "Unschedulable", message, node);
    }
  }

  private void bind(Pod pod, String node) {
    StepTimes.Stopwatch bound = metrics.steps().bind(profile);
    cluster.post(pod.key(), "binding", Binding.of(pod, node).object());
    bound.stop();
    events.normal(
        pod.object(), "Scheduled", "Successfully assigned " + pod.object().path() + " to " + node);
  }

  private void markUnschedulable(Pod pod, String reason, String message, String nominatedNode) {
    var condition = new Condition(PodStatus.POD_SCHEDULED, false, reason, message);
    Instant now = cluster.time().now();
    PodStatus status =
        pod.status()
            .withCondition(condition, now, pod.object().generation())
            .withNominatedNodeName(nominatedNode);
    if (!status.equals(pod.status())) {
      cluster.patchStatus(Kinds.POD, pod.object(), status.tree());
      events.warning(pod.object(), "FailedScheduling", message);
    }
  }

  /** The nomination shows other schedulers and the autoscaler that the node's room is taken. */
  private void nominate(Pod pod, String node) {
    PodStatus status = pod.status().withNominatedNodeName(node);
    if (!status.equals(pod.status())) {
      cluster.patchStatus(Kinds.POD, pod.object(), status.tree());
    }
  }

  /** A pod of higher priority takes the room that was nominated. */
  private void forgetNomination(ObjectKey key) {
    cluster
        .get(key)
        .map(Pod::new)
        .ifPresent(pod ->
            cluster.patchStatus(
                Kinds.POD, pod.object(), pod.status().withNominatedNodeName("").tree()));
  }

  /** A victim that cannot be deleted stays: the preemptor will be tried again. */
  private void evict(PodFacts victim, Pod preemptor, String node) {
    Optional<ApiObject> found =
        cluster.get(victim.key()).filter(now -> now.uid().equals(victim.uid()));
    if (found.isEmpty()) {
      return;
    }
    Pod pod = new Pod(found.get());
    if (!pod.isBound()) {
      // It only lost its reservation.
      return;
    }
    var condition =
        new Condition(
            PodStatus.DISRUPTION_TARGET, true, Eviction.REASON, Eviction.message(profile));
    PodStatus status =
        pod.status().withCondition(condition, cluster.time().now(), pod.object().generation());
    if (!status.equals(pod.status())) {
      cluster.patchStatus(Kinds.POD, pod.object(), status.tree());
    }
    if (!pod.isDeleting()) {
      cluster.delete(Kinds.POD, pod.object(), Deletion.BACKGROUND);
      events.normal(
          pod.object(),
          "Preempted",
          "Preempted by pod %s on node %s".formatted(preemptor.uid(), node));
    }
  }
}
