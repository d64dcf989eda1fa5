package dev.sluice.controllers.queueing.lifecycle;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Configuration.WaitForPodsReady;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The step for the deadlines of an admitted workload: its pods must become ready, or ready again,
 * in time, and it must not exceed its maximum execution time.
 */
final class DeadlineStep implements WorkloadStep {
  private static final String START = "WaitForStart";
  private static final String RECOVERY = "WaitForRecovery";

  private final Cluster cluster;
  private final Optional<WaitForPodsReady> podsReady;
  private final WorkloadWriter writer;

  DeadlineStep(Cluster cluster, Configuration configuration, WorkloadWriter writer) {
    this.cluster = cluster;
    this.podsReady = configuration.waitForPodsReady();
    this.writer = writer;
  }

  @Override
  public Optional<Outcome> take(Workload workload) {
    boolean runs =
        workload.admitted()
            && workload.parent().isEmpty() // the deadlines of a variant are those of its parent
            && workload.active()
            && !workload.status().holds(WorkloadStatus.EVICTED);
    if (!runs) {
      return Optional.of(Outcome.DONE);
    }
    Instant now = writer.now();
    Optional<Instant> ready = podsReady.flatMap(rules -> readyBy(workload.status(), rules));
    if (ready.isPresent() && !ready.get().isAfter(now)) {
      return podsReady.flatMap(rules -> notReady(workload, rules));
    }
    Optional<Instant> end = endBy(workload);
    if (end.isPresent() && !end.get().isAfter(now)) {
      return tooLong(workload);
    }
    Optional<Instant> next =
        Stream.of(ready, end).flatMap(Optional::stream).min(Instant::compareTo);
    return Optional.of(
        next.map(at -> Outcome.again(Duration.between(now, at))).orElse(Outcome.DONE));
  }

  /** The time by which the pods must be ready; empty if they are, or if there is no limit. */
  private static Optional<Instant> readyBy(WorkloadStatus status, WaitForPodsReady rules) {
    if (status.holds(WorkloadStatus.PODS_READY)) {
      return Optional.empty();
    }
    return waitsFor(status).equals(RECOVERY)
        ? rules
            .recoveryTimeout()
            .flatMap(limit -> status.since(WorkloadStatus.PODS_READY).map(at -> at.plus(limit)))
        : status.since(WorkloadStatus.ADMITTED).map(at -> at.plus(rules.timeout()));
  }

  private static String waitsFor(WorkloadStatus status) {
    return status.reason(WorkloadStatus.PODS_READY).equals(RECOVERY) ? RECOVERY : START;
  }

  private Optional<Outcome> notReady(Workload workload, WaitForPodsReady rules) {
    WorkloadStatus status = workload.status();
    Instant now = writer.now();
    int attempt = status.requeues() + 1;
    if (rules.backoffLimit().isPresent() && attempt > rules.backoffLimit().getAsInt()) {
      String why = "exceeding the maximum number of re-queuing retries";
      return writer.status(
          workload, WorkloadTransitions.deactivate(status, "RequeuingLimitExceeded", why, now));
    }
    Instant again =
        now.plus(
            RequeueBackoff.wait(
                attempt, rules.backoffBase(), rules.backoffMax(), cluster.random()));
    Instant latest = status.requeueAt().filter(again::isBefore).orElse(again);
    return writer.evict(
        workload,
        status.withRequeue(attempt, latest),
        "PodsReadyTimeout",
        "Exceeded the PodsReady timeout " + workload.object().path(),
        waitsFor(status));
  }

  private static Optional<Instant> endBy(Workload workload) {
    WorkloadStatus status = workload.status();
    return workload
        .maximumExecutionTime()
        .map(limit -> limit.minus(status.accumulatedExecutionTime()))
        .flatMap(left -> status.since(WorkloadStatus.ADMITTED).map(at -> at.plus(left)));
  }

  private Optional<Outcome> tooLong(Workload workload) {
    WorkloadStatus stopped =
        WorkloadTransitions.deactivate(
                workload.status(),
                WorkloadTransitions.MAXIMUM_EXECUTION_TIME,
                "exceeding the maximum execution time",
                writer.now())
            .withAccumulatedExecutionTime(Duration.ZERO);
    Optional<Outcome> written = writer.status(workload, stopped);
    long limit = workload.maximumExecutionTime().orElseThrow().toSeconds();
    writer.warning(
        workload,
        WorkloadTransitions.MAXIMUM_EXECUTION_TIME,
        "The maximum execution time (%ds) exceeded".formatted(limit));
    return written;
  }
}
