package dev.sluice.controllers.jobs;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.LabelSelector;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.batch.Job;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.runtime.Cluster;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The matching of pods to Jobs by label selector: adopts the pods that a Job's selector matches,
 * and releases those that it does not match any more.
 *
 * <p>Threads: belongs to the controller.
 */
final class Adoption {
  private final Cluster cluster;
  private final PodWriter writer;
  private final TreeSet<ObjectKey> choosers = new TreeSet<>();

  Adoption(Cluster cluster, PodWriter writer) {
    this.cluster = cluster;
    this.writer = writer;
  }

  /**
   * Finds a Job for a pod without a controller; without one, the pod loses its finalizer, since no
   * Job will count it.
   */
  void place(ObjectKey key) {
    Optional<Pod> orphan = cluster.get(key).filter(pod -> pod.controller().isEmpty()).map(Pod::new);
    if (orphan.isEmpty()) {
      return;
    }
    Pod pod = orphan.get();
    Optional<Job> job = pod.isDeleting() ? Optional.empty() : jobOf(pod);
    if (job.isPresent()) {
      writer.adopt(job.get(), pod);
    } else {
      writer.release(List.of(pod));
    }
  }

  /**
   * With a generated selector, a label of the pod names its Job; only Jobs whose selector the user
   * wrote must be tried.
   */
  private Optional<Job> jobOf(Pod pod) {
    ObjectKey named =
        Kinds.JOB.key(pod.namespace(), pod.object().label("batch.kubernetes.io/job-name"));
    return Stream.concat(Stream.of(named), choosers.stream())
        .filter(key -> key.namespace().equals(pod.namespace()) && !key.name().isEmpty())
        .flatMap(key -> cluster.get(key).map(Job::new).stream())
        .filter(job -> adopts(job) && isSelected(job, pod.object()))
        .findFirst();
  }

  private static boolean adopts(Job job) {
    return job.isManagedHere() && !job.isFinished() && !job.object().isDeleting();
  }

  /** Adopts the pods without a controller that match a new Job, if the user wrote its selector. */
  void gather(Job job) {
    if (!job.choosesSelector() || !adopts(job)) {
      return;
    }
    choosers.add(job.key());
    for (ApiObject pod : cluster.list(Kinds.POD, job.namespace())) {
      if (pod.controller().isEmpty() && !pod.isDeleting() && isSelected(job, pod)) {
        writer.adopt(job, new Pod(pod));
      }
    }
  }

  void forget(ObjectKey job) {
    choosers.remove(job);
  }

  /** Releases the Job's pods whose labels were changed so that its selector does not match them. */
  void part(Job job, JobPods pods) {
    List<Pod> strangers =
        job.selector().isEmpty()
            ? List.of()
            : pods.unchecked().stream().filter(pod -> !isSelected(job, pod.object())).toList();
    strangers.forEach(pod -> writer.disown(job, pod));
    pods.checked();
  }

  private static boolean isSelected(Job job, ApiObject pod) {
    return !job.selector().isEmpty() && new LabelSelector(job.selector()).matches(pod.labels());
  }
}
