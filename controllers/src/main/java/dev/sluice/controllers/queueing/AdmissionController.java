package dev.sluice.controllers.queueing;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.engine.admission.AdmissionCycle;
import dev.sluice.engine.admission.Decision;
import dev.sluice.engine.admission.PendingWorkload;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.Admission;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Admits workloads: whenever anything about queues changes it takes one look at all of them, lets
 * the engine decide, and writes what was decided. There is one key, because a decision about one
 * workload depends on all others.
 */
public final class AdmissionController implements Controller {
  private static final ObjectKey ALL = Kinds.CLUSTER_QUEUE.key("*");

  private final Cluster cluster;
  private final EventRecorder events;
  private final DecisionLog log;

  public AdmissionController(Cluster cluster, DecisionLog log) {
    this.cluster = cluster;
    this.events = new EventRecorder(cluster, "kueue-admission");
    this.log = log;
  }

  @Override
  public String name() {
    return "admission";
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(
        Trigger.onAny(Kinds.NAMESPACE, ALL),
        Trigger.onAny(Kinds.RESOURCE_FLAVOR, ALL),
        Trigger.onAny(Kinds.CLUSTER_QUEUE, ALL),
        Trigger.onAny(Kinds.LOCAL_QUEUE, ALL),
        Trigger.onAny(Kinds.WORKLOAD, ALL));
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    List<Decision> decisions = AdmissionCycle.decide(QueueSnapshots.read(cluster));
    Optional<ApiException> refused = Optional.empty();
    for (Decision decision : decisions) {
      try {
        apply(decision);
      } catch (ApiException failure) {
        // The others were decided with this one counted in, so they stay right without it.
        refused = Optional.of(failure);
      }
    }
    if (refused.isPresent()) {
      throw refused.get();
    }
    return Outcome.DONE;
  }

  private void apply(Decision decision) {
    PendingWorkload pending = decision.workload();
    Optional<ApiObject> seen = cluster.get(Kinds.WORKLOAD.key(pending.namespace(), pending.name()));
    if (seen.isEmpty() || !seen.get().uid().equals(pending.uid())) {
      return; // deleted meanwhile
    }
    switch (decision) {
      case Decision.Admit(PendingWorkload _, Admission admission) ->
          admit(decision, seen.get(), admission);
      case Decision.Wait wait -> hold(decision, seen.get(), "Pending", wait.message());
      case Decision.Queue(PendingWorkload _, String _, var reason) ->
          hold(decision, seen.get(), "Pending", reason.text());
      case Decision.Refuse(PendingWorkload _, var reason) ->
          hold(decision, seen.get(), "Inadmissible", reason.text());
    }
  }

  private void admit(Decision decision, ApiObject seen, Admission admission) {
    Instant now = cluster.time().now();
    String queue = admission.clusterQueue();
    var reserved =
        new Condition(
            WorkloadStatus.QUOTA_RESERVED,
            true,
            "QuotaReserved",
            "Quota reserved in ClusterQueue " + queue);
    var admitted =
        new Condition(WorkloadStatus.ADMITTED, true, "Admitted", "The workload is admitted");
    Tree status = new Workload(seen).status().withAdmission(admission).tree();
    status = admitted.in(reserved.in(status, now), now);
    if (!write(seen, status)) {
      return;
    }
    log.decided(now, decision);
    long waited = seen.created().map(since -> Duration.between(since, now).toSeconds()).orElse(0L);
    events.normal(
        seen,
        "QuotaReserved",
        "Quota reserved in ClusterQueue %s, wait time since queued was %ds"
            .formatted(queue, waited));
    events.normal(
        seen,
        "Admitted",
        "Admitted by ClusterQueue %s, wait time since reservation was 0s".formatted(queue));
  }

  private void hold(Decision decision, ApiObject seen, String reason, String message) {
    Instant now = cluster.time().now();
    Tree status =
        new Condition(WorkloadStatus.QUOTA_RESERVED, false, reason, message).in(seen.status(), now);
    if (!status.equals(seen.status()) && write(seen, status)) {
      log.decided(now, decision);
      events.warning(seen, reason, message);
    }
  }

  /** Returns whether the workload was still there. */
  private boolean write(ApiObject seen, Tree status) {
    try {
      cluster.patchStatus(Kinds.WORKLOAD, seen, status);
      return true;
    } catch (ApiException refused) {
      if (refused.is(ApiFailure.Reason.NOT_FOUND)) {
        return false;
      }
      throw refused;
    }
  }
}
