package dev.sluice.controllers.queueing.rules;

import dev.sluice.controllers.queueing.Int32;
import dev.sluice.controllers.queueing.ManagedJobs;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.batch.Job;
import dev.sluice.model.kueue.KueueNames;
import java.util.List;
import java.util.OptionalInt;

/** The rules for the annotations of partial admission of Jobs. */
record PartialStartRules(QueuedJobRules queued) {
  private static final String MIN_PARALLELISM =
      MetadataRules.annotation(KueueNames.JOB_MIN_PARALLELISM);
  private static final String SYNCHRONIZED =
      MetadataRules.annotation(KueueNames.JOB_COMPLETIONS_EQUAL_PARALLELISM);

  /** The values that Go parses as false. */
  private static final List<String> NO = List.of("0", "f", "F", "false", "FALSE", "False");

  void checkMinimum(ApiObject object, ValidationErrors problems) {
    if (!MetadataRules.hasAnnotation(object, KueueNames.JOB_MIN_PARALLELISM)) {
      return;
    }
    String value = object.annotation(KueueNames.JOB_MIN_PARALLELISM);
    OptionalInt minimum = Int32.positive(value);
    long max = pods(new Job(object)) - 1;
    if (minimum.isEmpty() || minimum.getAsInt() > max) {
      problems.invalid(
          MIN_PARALLELISM,
          value,
          "must be a whole number from 1 to %d, less than all pods".formatted(max));
    }
    if (queued.isElastic(object)) {
      problems.forbidden(MIN_PARALLELISM, "an elastic job starts with all its pods");
    }
  }

  /** The number of pods that a Job runs in parallel. */
  private static long pods(Job job) {
    return Math.min(job.parallelism(), job.completions().orElse(job.parallelism()));
  }

  void checkSynchronized(ApiObject object, ValidationErrors problems) {
    if (!MetadataRules.hasAnnotation(object, KueueNames.JOB_COMPLETIONS_EQUAL_PARALLELISM)) {
      return;
    }
    String value = object.annotation(KueueNames.JOB_COMPLETIONS_EQUAL_PARALLELISM);
    if (!ManagedJobs.synchronizes(object)) {
      if (!NO.contains(value)) {
        problems.invalid(SYNCHRONIZED, value, "must be \"true\" or \"false\"");
      }
      return;
    }
    var job = new Job(object);
    if (job.isNonIndexed()) {
      problems.invalid(SYNCHRONIZED, value, "is for Jobs with the completionMode Indexed");
    }
    if (job.completions().orElse(1) != job.parallelism()) {
      problems.invalid(
          "spec.completions",
          object.spec().at("completions"),
          "must be equal to parallelism, as %s says"
              .formatted(KueueNames.JOB_COMPLETIONS_EQUAL_PARALLELISM));
    }
  }

  void checkChange(ApiObject before, ApiObject after, ValidationErrors problems) {
    String minimum = before.annotation(KueueNames.JOB_MIN_PARALLELISM);
    // Partial admission lowers the parallelism to the admitted count, down to the minimum itself.
    if (!minimum.equals(after.annotation(KueueNames.JOB_MIN_PARALLELISM))) {
      checkMinimum(after, problems);
    }
    boolean ran = !new Job(before).isSuspended();
    boolean resized = new Job(before).parallelism() != new Job(after).parallelism();
    if (ran && resized && !minimum.isEmpty()) {
      problems.forbidden(
          "spec.parallelism",
          "cannot change while the job runs and has %s".formatted(KueueNames.JOB_MIN_PARALLELISM));
    }
    boolean changes = ManagedJobs.synchronizes(before) != ManagedJobs.synchronizes(after);
    if (ran && !new Job(after).isSuspended() && changes) {
      problems.forbidden(SYNCHRONIZED, "cannot change while the job is not suspended");
    }
  }
}
