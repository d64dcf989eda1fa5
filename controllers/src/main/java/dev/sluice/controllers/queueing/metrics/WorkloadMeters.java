package dev.sluice.controllers.queueing.metrics;

import dev.sluice.controllers.queueing.metrics.Meters.Tally;
import dev.sluice.controllers.queueing.metrics.Meters.Timer;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Counts the steps of workloads' lives by what changed in their status. Times are those of the
 * conditions, so that who reads the same changes counts the same.
 */
final class WorkloadMeters {
  private static final List<Double> WAITS = Meters.waits(14);
  private static final String DUE_TO = "DueTo";
  private static final String REPLACED = "WorkloadSliceReplaced";

  private final QueueTally reserved;
  private final QueueTally admitted;
  private final QueueTally finished;
  private final QueueTally evicted;
  private final Tally evictedOnce;
  private final Tally replaced;
  private final QueueTimer reservedAfter;
  private final QueueTimer admittedAfter;
  private final QueueTimer checkedAfter;
  private final QueueTimer readyAfter;
  private final QueueTimer readyAfterAdmission;
  private final Timer evictedAfterReady;
  private final Timer releasedAfter;

  WorkloadMeters(Meters meters) {
    reserved = tally(meters, "quota_reserved_workloads_total", "Workloads that got quota");
    admitted = tally(meters, "admitted_workloads_total", "Workloads admitted");
    finished = tally(meters, "finished_workloads_total", "Workloads finished");
    evicted =
        new QueueTally(
            meters,
            "evicted_workloads_total",
            "Workloads evicted",
            "reason",
            "underlying_cause",
            "priority_class");
    evictedOnce =
        meters.counter(
            "evicted_workloads_once_total",
            "Workloads evicted for the first time for a reason and cause",
            "cluster_queue",
            "reason",
            "underlying_cause",
            "priority_class");
    replaced =
        meters.counter(
            "replaced_workload_slices_total",
            "Workload slices whose place a newer slice took",
            "cluster_queue");
    reservedAfter = timer(meters, "quota_reserved", "From queueing to quota", WAITS);
    admittedAfter = timer(meters, "admission", "From queueing to admission", Meters.waits(16));
    checkedAfter = timer(meters, "admission_checks", "From quota to admission", WAITS);
    readyAfter = timer(meters, "ready", "From queueing to ready pods", WAITS);
    readyAfterAdmission =
        timer(meters, "admitted_until_ready", "From admission to ready pods", WAITS);
    evictedAfterReady =
        meters.timer(
            "pods_ready_to_evicted_time_seconds",
            "From ready pods to eviction",
            WAITS,
            "cluster_queue",
            "reason",
            "underlying_cause");
    releasedAfter =
        meters.timer(
            "workload_eviction_latency_seconds",
            "From eviction to the return of the quota",
            WAITS,
            "cluster_queue",
            "reason");
  }

  private static QueueTally tally(Meters meters, String name, String help) {
    return new QueueTally(meters, name, help, "priority_class");
  }

  private static QueueTimer timer(Meters meters, String name, String help, List<Double> bounds) {
    return new QueueTimer(meters, name + "_wait_time_seconds", help, bounds);
  }

  /** A workload changed. */
  void changed(Workload before, Workload now, Where where) {
    WorkloadStatus status = now.status();
    String priorityClass = WorkloadWatch.priorityClass(now);
    if (became(WorkloadStatus.QUOTA_RESERVED, before, now)) {
      reserved.add(where, priorityClass);
      took(queued(now), status, WorkloadStatus.QUOTA_RESERVED)
          .ifPresent(time -> reservedAfter.took(time, where, priorityClass));
    }
    if (became(WorkloadStatus.ADMITTED, before, now)) {
      admitted(now, where, priorityClass);
    }
    if (became(WorkloadStatus.PODS_READY, before, now)) {
      took(queued(now), status, WorkloadStatus.PODS_READY)
          .ifPresent(time -> readyAfter.took(time, where, priorityClass));
      took(status.since(WorkloadStatus.ADMITTED), status, WorkloadStatus.PODS_READY)
          .ifPresent(time -> readyAfterAdmission.took(time, where, priorityClass));
    }
    if (became(WorkloadStatus.EVICTED, before, now)) {
      evicted(before, now, where, priorityClass);
    }
    if (before.reserved() && !now.reserved() && status.holds(WorkloadStatus.EVICTED)) {
      took(status.since(WorkloadStatus.EVICTED), status, WorkloadStatus.QUOTA_RESERVED)
          .ifPresent(
              time -> releasedAfter.took(time, where.clusterQueue(), Eviction.of(status).reason()));
    }
    if (became(WorkloadStatus.FINISHED, before, now)) {
      finished.add(where, priorityClass);
      if (status.reason(WorkloadStatus.FINISHED).equals(REPLACED)) {
        replaced.add(where.clusterQueue());
      }
    }
  }

  private void admitted(Workload now, Where where, String priorityClass) {
    WorkloadStatus status = now.status();
    admitted.add(where, priorityClass);
    took(queued(now), status, WorkloadStatus.ADMITTED)
        .ifPresent(time -> admittedAfter.took(time, where, priorityClass));
    if (!status.admissionChecks().isEmpty()) {
      took(status.since(WorkloadStatus.QUOTA_RESERVED), status, WorkloadStatus.ADMITTED)
          .ifPresent(time -> checkedAfter.took(time, where, priorityClass));
    }
  }

  private void evicted(Workload before, Workload now, Where where, String priorityClass) {
    WorkloadStatus status = now.status();
    Eviction why = Eviction.of(status);
    evicted.add(where, why.reason(), why.cause(), priorityClass);
    if (status.evictions(why.reason(), why.cause()) == 1) {
      evictedOnce.add(where.clusterQueue(), why.reason(), why.cause(), priorityClass);
    }
    if (before.status().holds(WorkloadStatus.PODS_READY)) {
      took(before.status().since(WorkloadStatus.PODS_READY), status, WorkloadStatus.EVICTED)
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

  /** Whether a condition became True, also if it was False in between and nobody saw it. */
  private static boolean became(String type, Workload before, Workload now) {
    return now.status().holds(type)
        && (!before.status().holds(type)
            || !before.status().since(type).equals(now.status().since(type)));
  }

  private static Optional<Instant> queued(Workload workload) {
    return workload.status().since(WorkloadStatus.REQUEUED).or(() -> workload.object().created());
  }

  private static Optional<Duration> took(
      Optional<Instant> from, WorkloadStatus status, String type) {
    return from.flatMap(start -> status.since(type).map(end -> Duration.between(start, end)));
  }
}
