package dev.sluice.controllers.housekeeping;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.pod.Disruption;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodStatus;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.ObjectEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The controller of stale disruption conditions: removes the DisruptionTarget condition of a pod
 * that was not deleted within two minutes. A condition that a kubelet set stays, since the kubelet
 * ends the pod itself.
 */
public final class StaleDisruptions implements Controller {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String BY_KUBELET = "TerminationByKubelet";

  private final Cluster cluster;

  public StaleDisruptions(Cluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public String name() {
    return "stale-disruptions";
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(new Trigger(Kinds.POD, StaleDisruptions::podChanged));
  }

  private static List<ObjectKey> podChanged(ObjectEvent event) {
    Pod pod = new Pod(event.object());
    return isAnnounced(pod) ? List.of(pod.key()) : List.of();
  }

  private static boolean isAnnounced(Pod pod) {
    return pod.status().holds(Disruption.CONDITION)
        && !pod.status().reason(Disruption.CONDITION).equals(BY_KUBELET)
        && pod.isActive();
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    Optional<Pod> found = cluster.get(key).map(Pod::new).filter(StaleDisruptions::isAnnounced);
    if (found.isEmpty()) {
      return Outcome.DONE;
    }
    ApiObject pod = found.get().object();
    Instant now = cluster.time().now();
    // A time in the future comes from a clock that cannot be trusted.
    Instant since =
        Condition.since(pod.status(), Disruption.CONDITION).filter(now::isAfter).orElse(now);
    Duration left = Duration.between(now, since.plus(PATIENCE));
    if (left.isPositive()) {
      return Outcome.again(left);
    }
    var over = new Condition(Disruption.CONDITION, false, "", "");
    PodStatus status = found.get().status().withCondition(over, now, pod.generation());
    cluster.patchStatus(Kinds.POD, pod, status.tree());
    return Outcome.DONE;
  }
}
