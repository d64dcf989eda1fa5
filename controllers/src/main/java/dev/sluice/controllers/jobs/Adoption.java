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
 * Brings together Jobs and pods that their selectors match, and parts those that they do not match
 * any more.
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

  /** Finds a Job for a pod that nobody owns; without one, nobody will count the pod. */
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

  /** A generated selector says whose the pod was; only chosen ones must be tried out. */
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

  /** Makes the pods of nobody that match a new Job the Job's, if it chose its selector itself. */
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

  /** Parts with the Job's pods whose labels were changed so that they do not match it any more. */
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
