package dev.sluice.controllers.jobs;

import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.core.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * A Job's pods, sorted by what they mean for it.
 *
 * @param tracked those that still hold the finalizer
 * @param newlySucceeded those tracked ones that succeeded and stand in no list of the status yet
 * @param newlyFailed likewise for failed ones
 */
record PodCensus(
    List<Pod> active,
    long ready,
    long terminating,
    List<Pod> tracked,
    List<Pod> newlySucceeded,
    List<Pod> newlyFailed) {

  PodCensus {
    active = List.copyOf(active);
    tracked = List.copyOf(tracked);
    newlySucceeded = List.copyOf(newlySucceeded);
    newlyFailed = List.copyOf(newlyFailed);
  }

  static PodCensus of(Job job, List<Pod> pods) {
    List<Pod> active = pods.stream().filter(Pod::isActive).toList();
    List<Pod> tracked =
        pods.stream().filter(pod -> pod.object().hasFinalizer(Job.TRACKING)).toList();
    JobStatus.Uncounted uncounted = job.status().uncounted();
    var listed = new TreeSet<String>(uncounted.succeeded());
    listed.addAll(uncounted.failed());
    var succeeded = new ArrayList<Pod>();
    var failed = new ArrayList<Pod>();
    for (Pod pod : tracked) {
      if (!listed.contains(pod.uid())) {
        if (pod.phase() == Pod.Phase.SUCCEEDED) {
          succeeded.add(pod);
        } else if (isFailed(job, pod)) {
          failed.add(pod);
        }
      }
    }
    return new PodCensus(
        active,
        active.stream().filter(Pod::isReady).count(),
        pods.stream().filter(Pod::isTerminating).count(),
        tracked,
        succeeded,
        failed);
  }

  /** Unless the Job waits for its pods to end, one that was asked to end has failed already. */
  static boolean isFailed(Job job, Pod pod) {
    return pod.phase() == Pod.Phase.FAILED || (pod.isTerminating() && !job.replacesOnlyFailed());
  }

  /** All pods of the Job that succeeded, counted or not. */
  long succeeded(Job job) {
    JobStatus status = job.status();
    return status.succeeded() + status.uncounted().succeeded().size() + newlySucceeded.size();
  }

  /** All pods of the Job that failed, counted or not. */
  long failed(Job job) {
    JobStatus status = job.status();
    return status.failed() + status.uncounted().failed().size() + newlyFailed.size();
  }
}
