package dev.sluice.simulator;

import dev.sluice.model.ApiObject;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.kueue.KueueNames;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The times of one job, as durations since the start of the simulation.
 *
 * @param started empty if it never ran
 * @param finished empty if it did not complete
 */
public record JobReport(
    String job,
    String queue,
    String state,
    Duration submitted,
    Optional<Duration> started,
    Optional<Duration> finished) {

  static JobReport of(ApiObject object, Instant start) {
    JobStatus status = new Job(object).status();
    return new JobReport(
        object.path(),
        object.label(KueueNames.QUEUE_NAME),
        state(status),
        Duration.between(start, object.created().orElse(start)),
        status.started().map(moment -> Duration.between(start, moment)),
        status.completed().map(moment -> Duration.between(start, moment)));
  }

  private static String state(JobStatus status) {
    if (status.holds(JobStatus.COMPLETE)) {
      return "Complete";
    }
    if (status.holds(JobStatus.FAILED)) {
      return "Failed";
    }
    return status.holds(JobStatus.SUSPENDED) ? "Suspended" : "Running";
  }
}
