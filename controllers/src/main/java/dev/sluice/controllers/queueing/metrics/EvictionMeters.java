package dev.sluice.controllers.queueing.metrics;

import dev.sluice.controllers.queueing.admission.PreemptionMessages;
import dev.sluice.controllers.queueing.metrics.Meters.Tally;
import dev.sluice.controllers.queueing.metrics.Meters.Timer;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.kueue.WorkloadStatus.Evictions;

/**
 * The metrics of evictions and preemptions: their number by reason, and the time until the quota is
 * released. They are read from the workloads, not from decisions: a decision whose write fails is
 * made again.
 */
final class EvictionMeters {
  private static final String DUE_TO = "DueTo";

  private final QueueTally evicted;
  private final Tally evictedOnce;
  private final Tally preempted;
  private final Timer evictedAfterReady;
  private final Timer releasedAfter;

  EvictionMeters(Meters meters) {
    String[] why = {"reason", "underlying_cause", "priority_class"};
    evicted = new QueueTally(meters, "evicted_workloads_total", "Workloads evicted", why);
    evictedOnce =
        meters.counter(
            "evicted_workloads_once_total",
            "Workloads evicted for the first time for a reason and cause",
            QueueTally.with(why, "cluster_queue"));
    preempted =
        meters.counter(
            "preempted_workloads_total",
            "Workloads preempted by workloads of a ClusterQueue",
            "preempting_cluster_queue",
            "reason");
    evictedAfterReady =
        meters.timer(
            "pods_ready_to_evicted_time_seconds",
            "From ready pods to eviction",
            WorkloadMeters.WAITS,
            "cluster_queue",
            "reason",
            "underlying_cause");
    releasedAfter =
        meters.timer(
            "workload_eviction_latency_seconds",
            "From eviction to the return of the quota",
            WorkloadMeters.WAITS,
            "cluster_queue",
            "reason");
  }

  void changed(Workload before, Workload now, Where where, String priorityClass) {
    WorkloadStatus status = now.status();
    if (before.admission().isPresent() || now.admission().isPresent()) {
      status.evictions().forEach(why -> evicted(before, status, why, where, priorityClass));
    }
    if (WorkloadMeters.became(WorkloadStatus.PREEMPTED, before, now)) {
      preempted.add(
          PreemptionMessages.preemptingQueue(status.message(WorkloadStatus.PREEMPTED)),
          status.reason(WorkloadStatus.PREEMPTED));
    }
    if (before.reserved() && !now.reserved() && status.holds(WorkloadStatus.EVICTED)) {
      WorkloadMeters.took(
              status.since(WorkloadStatus.EVICTED), status, WorkloadStatus.QUOTA_RESERVED)
          .ifPresent(time -> releasedAfter.took(time, where.clusterQueue(), reason(status)));
    }
  }

  /**
   * Counts an eviction when the count in the workload's status has grown, so that it counts once
   * however often it was written or seen. The difference does not matter: any client may have
   * written that number.
   */
  private void evicted(
      Workload before, WorkloadStatus status, Evictions why, Where where, String priorityClass) {
    int known = before.status().evictions(why.reason(), why.cause());
    if (known >= why.count()) {
      return;
    }
    evicted.add(where, why.reason(), why.cause(), priorityClass);
    if (known == 0) {
      evictedOnce.add(where.clusterQueue(), why.reason(), why.cause(), priorityClass);
    }
    if (before.status().holds(WorkloadStatus.PODS_READY)) {
      WorkloadMeters.took(
              before.status().since(WorkloadStatus.PODS_READY), status, WorkloadStatus.EVICTED)
          .ifPresent(time ->
              evictedAfterReady.took(time, where.clusterQueue(), why.reason(), why.cause()));
    }
  }

  /** The reason of the eviction, without the underlying cause. */
  private static String reason(WorkloadStatus status) {
    String reason = status.reason(WorkloadStatus.EVICTED);
    int cause = reason.indexOf(DUE_TO);
    return cause < 0 ? reason : reason.substring(0, cause);
  }
}
