package dev.sluice.controllers.jobsets;

import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.jobset.JobSet;
import dev.sluice.model.jobset.ReplicatedJob;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.util.Comparator;
import java.util.List;

/**
 * How many Jobs of a replicated job are in which state, in its current attempt.
 *
 * @param replicas how many there are to be
 */
record ReplicatedJobCounts(
    String name,
    long replicas,
    long ready,
    long succeeded,
    long failed,
    long active,
    long suspended) {

  static ReplicatedJobCounts of(ReplicatedJob replicated, OwnedJobs jobs) {
    List<Job> current = jobs.current(replicated.name()).toList();
    return new ReplicatedJobCounts(
        replicated.name(),
        replicated.replicas(),
        current.stream().filter(job -> !job.isFinished() && isReady(job)).count(),
        current.stream().filter(job -> job.status().holds(JobStatus.COMPLETE)).count(),
        current.stream().filter(job -> job.status().holds(JobStatus.FAILED)).count(),
        current.stream().filter(job -> !job.isFinished() && job.status().active() > 0).count(),
        current.stream().filter(job -> !job.isFinished() && job.isSuspended()).count());
  }

  /** In the order of the JobSet. */
  static List<ReplicatedJobCounts> all(JobSet set, OwnedJobs jobs) {
    return set.replicatedJobs().stream().map(replicated -> of(replicated, jobs)).toList();
  }

  private static boolean isReady(Job job) {
    long pods = Math.min(job.parallelism(), job.completions().orElse(job.parallelism()));
    return job.status().succeeded() + job.status().ready() >= pods;
  }

  /** Whether all its Jobs are ready or have succeeded. */
  boolean isReady() {
    return ready + succeeded == replicas;
  }

  /** Whether all its Jobs are ready or have ended, so that those that wait for it may start. */
  boolean hasStarted() {
    return ready + succeeded + failed == replicas;
  }

  boolean hasSucceeded() {
    return succeeded == replicas;
  }

  private Tree tree() {
    return Tree.of(
        "name",
        name,
        "ready",
        ready,
        "succeeded",
        succeeded,
        "failed",
        failed,
        "active",
        active,
        "suspended",
        suspended);
  }

  /** The field of the status, which is sorted by name, the last first. */
  static Items field(List<ReplicatedJobCounts> counts) {
    return Items.of(
        counts.stream()
            .sorted(Comparator.comparing(ReplicatedJobCounts::name).reversed())
            .map(ReplicatedJobCounts::tree)
            .toList());
  }
}
