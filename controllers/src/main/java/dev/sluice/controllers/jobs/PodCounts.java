package dev.sluice.controllers.jobs;

import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobPod;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.core.pod.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * The counts of a Job's pods at one time. They include what the status counts and the pods that the
 * status does not list yet.
 *
 * @param active how many are neither finished nor terminating
 * @param newlySucceeded those that succeeded and are not in the status yet
 * @param newlyFailed likewise for failed pods, whether or not their failure counts
 * @param succeeded all that succeeded; of an Indexed Job, its completed indexes
 * @param failed all that failed and count
 */
record PodCounts(
    JobPods pods,
    long active,
    long ready,
    long terminating,
    long restarts,
    List<Pod> newlySucceeded,
    List<FailedPod> newlyFailed,
    JobIndexes indexes,
    long succeeded,
    long failed) {

  PodCounts {
    newlySucceeded = List.copyOf(newlySucceeded);
    newlyFailed = List.copyOf(newlyFailed);
  }

  static PodCounts of(Job job, JobPods pods) {
    JobStatus status = job.status();
    JobStatus.Uncounted uncounted = status.uncounted();
    var succeeded = new ArrayList<Pod>();
    var failed = new ArrayList<FailedPod>();
    for (Pod pod : newlyEnded(job, pods)) {
      if (pod.phase() == Pod.Phase.SUCCEEDED) {
        succeeded.add(pod);
      } else if (isFailed(job, pod)) {
        failed.add(FailedPod.of(job, pod));
      }
    }
    JobIndexes indexes = JobIndexes.of(job, pods, succeeded, failed);
    return new PodCounts(
        pods,
        pods.active().size(),
        pods.ready(),
        pods.terminating(),
        pods.restarts(),
        succeeded,
        failed,
        indexes,
        job.isIndexed()
            ? indexes.completed().size()
            : status.succeeded() + uncounted.succeeded().size() + succeeded.size(),
        status.failed()
            + uncounted.failed().size()
            + failed.stream().filter(FailedPod::counts).count());
  }

  /** The pods that are finished or terminating, may count, and are not in the status yet. */
  private static List<Pod> newlyEnded(Job job, JobPods pods) {
    var listed = new TreeSet<String>(job.status().uncounted().succeeded());
    listed.addAll(job.status().uncounted().failed());
    return pods.ended().stream()
        .filter(pod -> pod.object().hasFinalizer(Job.TRACKING) && !listed.contains(pod.uid()))
        .filter(pod -> isPlaced(job, pod))
        .toList();
  }

  /**
   * Unless the Job replaces only failed pods, a terminating pod counts as failed. A pod that is
   * deleted while the Job is being deleted does not count as failed, however it ends.
   */
  static boolean isFailed(Job job, Pod pod) {
    if (pod.isDeleting() && job.object().isDeleting()) {
      return false;
    }
    return pod.phase() == Pod.Phase.FAILED || (pod.isTerminating() && !job.replacesOnlyFailed());
  }

  /** Whether a pod has an index below the completions, or needs none. */
  static boolean isPlaced(Job job, Pod pod) {
    OptionalLong index = new JobPod(pod).index();
    return !job.isIndexed()
        || (index.isPresent() && index.getAsLong() < job.completions().orElse(0));
  }
}
