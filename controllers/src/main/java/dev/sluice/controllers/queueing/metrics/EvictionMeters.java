package dev.sluice.controllers.queueing.metrics;

import dev.sluice.controllers.queueing.metrics.Meters.Tally;
import dev.sluice.controllers.queueing.metrics.Meters.Timer;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;

/** Counts who had to stop, why, and how long it took until the quota was free. */
final class EvictionMeters {
  private static final String DUE_TO = "DueTo";

  private final QueueTally evicted;
  private final Tally evictedOnce;
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
    if (WorkloadMeters.became(WorkloadStatus.EVICTED, before, now)) {
      evicted(before, status, where, priorityClass);
    }
    if (before.reserved() && !now.reserved() && status.holds(WorkloadStatus.EVICTED)) {
      WorkloadMeters.took(
              status.since(WorkloadStatus.EVICTED), status, WorkloadStatus.QUOTA_RESERVED)
          .ifPresent(
              time -> releasedAfter.took(time, where.clusterQueue(), Eviction.of(status).reason()));
    }
  }

  private void evicted(Workload before, WorkloadStatus status, Where where, String priorityClass) {
    Eviction why = Eviction.of(status);
    evicted.add(where, why.reason(), why.cause(), priorityClass);
    if (status.evictions(why.reason(), why.cause()) == 1) {
      evictedOnce.add(where.clusterQueue(), why.reason(), why.cause(), priorityClass);
    }
    if (before.status().holds(WorkloadStatus.PODS_READY)) {
      WorkloadMeters.took(
              before.status().since(WorkloadStatus.PODS_READY), status, WorkloadStatus.EVICTED)
          .ifPresent(time ->
              evictedAfterReady.took(time, where.clusterQueue(), why.reason(), why.cause()));
    }
  }

  /** Why a workload was evicted, and what lies under that, if anything. */
  private record Eviction(String reason, String cause) {
    static Eviction of(WorkloadStatus status) {
      String reason = status.reason(WorkloadStatus.EVICTED);
      int cause = reason.indexOf(DUE_TO);
      return cause < 0
          ? new Eviction(reason, "")
          : new Eviction(reason.substring(0, cause), reason.substring(cause + DUE_TO.length()));
    }
  }
}
