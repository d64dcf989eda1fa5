package dev.sluice.controllers.queueing.metrics;

import dev.sluice.controllers.queueing.SliceRules;
import dev.sluice.controllers.queueing.metrics.Meters.Tally;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The metrics of the lifecycle of workloads, read from changes of their status. Times are those of
 * the conditions, so that every replica that sees the same changes counts the same.
 */
final class WorkloadMeters {
  static final List<Double> WAITS = Meters.waits(14);

  private final QueueTally reserved;
  private final QueueTally admitted;
  private final QueueTally finished;
  private final Tally replaced;
  private final QueueTimer reservedAfter;
  private final QueueTimer admittedAfter;
  private final QueueTimer checkedAfter;
  private final QueueTimer readyAfter;
  private final QueueTimer readyAfterAdmission;
  private final EvictionMeters evictions;

  WorkloadMeters(Meters meters) {
    reserved = tally(meters, "quota_reserved_workloads_total", "Workloads that got quota");
    admitted = tally(meters, "admitted_workloads_total", "Workloads admitted");
    finished = tally(meters, "finished_workloads_total", "Workloads finished");
    evictions = new EvictionMeters(meters);
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
  }

  private static QueueTally tally(Meters meters, String name, String help) {
    return new QueueTally(meters, name, help, "priority_class");
  }

  private static QueueTimer timer(Meters meters, String name, String help, List<Double> bounds) {
    return new QueueTimer(meters, name + "_wait_time_seconds", help, bounds);
  }

  void changed(Workload before, Workload now, Where where, String priorityClass) {
    WorkloadStatus status = now.status();
    if (became(WorkloadStatus.QUOTA_RESERVED, before, now)) {
      reserved.add(where, priorityClass);
      took(queued(now), status, WorkloadStatus.QUOTA_RESERVED)
          .ifPresent(time -> reservedAfter.took(time, where, priorityClass));
    }
    if (became(WorkloadStatus.ADMITTED, before, now)) {
      admitted(now, where, priorityClass);
    }
    if (became(WorkloadStatus.PODS_READY, before, now)) {
      ready(now, where, priorityClass);
    }
    evictions.changed(before, now, where, priorityClass);
    if (became(WorkloadStatus.FINISHED, before, now)) {
      finished.add(where, priorityClass);
      if (status.reason(WorkloadStatus.FINISHED).equals(SliceRules.REPLACED)) {
        replaced.add(where.clusterQueue());
      }
    }
  }

  private void ready(Workload now, Where where, String priorityClass) {
    WorkloadStatus status = now.status();
    took(queued(now), status, WorkloadStatus.PODS_READY)
        .ifPresent(time -> readyAfter.took(time, where, priorityClass));
    took(status.since(WorkloadStatus.ADMITTED), status, WorkloadStatus.PODS_READY)
        .ifPresent(time -> readyAfterAdmission.took(time, where, priorityClass));
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

  /** Whether a condition became true, also if it was false in between without an event. */
  static boolean became(String type, Workload before, Workload now) {
    return now.status().holds(type)
        && (!before.status().holds(type)
            || !before.status().since(type).equals(now.status().since(type)));
  }

  private static Optional<Instant> queued(Workload workload) {
    return workload.status().since(WorkloadStatus.REQUEUED).or(() -> workload.object().created());
  }

  /** The time from an instant until the last transition of a condition. */
  static Optional<Duration> took(Optional<Instant> from, WorkloadStatus status, String type) {
    return from.flatMap(start -> status.since(type).map(end -> Duration.between(start, end)));
  }
}
