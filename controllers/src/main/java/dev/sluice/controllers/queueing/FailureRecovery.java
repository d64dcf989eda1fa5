package dev.sluice.controllers.queueing;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.controllers.PodRemoval;
import dev.sluice.controllers.PodsByNode;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.node.Node;
import dev.sluice.model.core.node.Taint;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.ObjectEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The controller that deletes terminating pods of unreachable nodes: their kubelet cannot report
 * that they ended, so their job would wait forever. Only pods with the annotation that allows it
 * are deleted, a minute after their grace period, since they may still run on the node.
 *
 * <p>A pod is marked as failed before it is deleted, so that the controller of its job counts it as
 * failed.
 */
public final class FailureRecovery implements Controller {
  private static final Duration FORCED_AFTER = Duration.ofMinutes(1);
  private static final String CONDITION = "KueueFailureRecovery";
  private static final String REASON = "KueueForcefullyDeleted";

  private final Cluster cluster;
  private final EventRecorder events;
  private final PodsByNode pods;

  public FailureRecovery(Cluster cluster) {
    this.cluster = cluster;
    this.events = new EventRecorder(cluster, "kueue-failure-recovery");
    this.pods = new PodsByNode(cluster);
  }

  @Override
  public String name() {
    return "failure-recovery";
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(
        new Trigger(Kinds.POD, this::podChanged), new Trigger(Kinds.NODE, this::nodeChanged));
  }

  private List<ObjectKey> podChanged(ObjectEvent event) {
    pods.changed(event);
    var pod = new Pod(event.object());
    return mayBeEnded(pod) ? List.of(pod.key()) : List.of();
  }

  private List<ObjectKey> nodeChanged(ObjectEvent event) {
    if (!isUnreachable(event.object())) {
      return List.of();
    }
    return pods.on(event.object().name()).stream()
        .filter(FailureRecovery::mayBeEnded)
        .map(Pod::key)
        .toList();
  }

  private static boolean mayBeEnded(Pod pod) {
    return pod.isDeleting()
        && pod.isBound()
        && !pod.isHeld()
        && pod.object().annotation(KueueNames.SAFE_TO_FORCEFULLY_DELETE).equals("true");
  }

  private static boolean isUnreachable(ApiObject node) {
    return new Node(node).taints().stream().map(Taint::key).anyMatch(Taint.UNREACHABLE::equals);
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    Optional<Pod> found =
        cluster.get(key).map(Pod::new).filter(FailureRecovery::mayBeEnded).filter(this::isLost);
    if (found.isEmpty()) {
      return Outcome.DONE;
    }
    Pod pod = found.get();
    Instant now = cluster.time().now();
    // The deletion timestamp is the end of the grace period.
    Duration left = Duration.between(now, pod.object().deleted().orElse(now).plus(FORCED_AFTER));
    if (left.isPositive()) {
      return Outcome.again(left);
    }
    forceDelete(pod, now);
    return Outcome.DONE;
  }

  private boolean isLost(Pod pod) {
    return cluster
        .get(Kinds.NODE.key(pod.nodeName()))
        .filter(FailureRecovery::isUnreachable)
        .isPresent();
  }

  private void forceDelete(Pod pod, Instant now) {
    String why =
        "node %s cannot be reached, and the pod has been terminating for a minute longer than its"
                .formatted(pod.nodeName())
            + " grace period; its annotation %s allows to end it"
                .formatted(KueueNames.SAFE_TO_FORCEFULLY_DELETE);
    var ended = new Condition(CONDITION, true, REASON, why);
    PodRemoval.remove(
        cluster, pod, pod.status().withCondition(ended, now, pod.object().generation()));
    events.warning(pod.object(), REASON, why);
  }
}
