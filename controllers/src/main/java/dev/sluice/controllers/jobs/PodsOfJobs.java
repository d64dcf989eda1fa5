package dev.sluice.controllers.jobs;

import dev.sluice.controllers.ChangedKeys;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.OwnerReference;
import dev.sluice.model.batch.Job;
import dev.sluice.model.core.Pod;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which pods still matter to which Job: all but those that have ended and are counted, so that a
 * Job of many short pods stays cheap to look at.
 *
 * <p>Threads: {@link #changed} is safe; the rest belongs to the controller.
 */
final class PodsOfJobs {
  private final Cluster cluster;
  private final ChangedKeys changed = new ChangedKeys();
  private final TreeMap<ObjectKey, TreeSet<ObjectKey>> podsByJob = new TreeMap<>();
  private final TreeMap<ObjectKey, ObjectKey> jobByPod = new TreeMap<>();

  PodsOfJobs(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Takes note of an event and says whom it concerns. */
  List<ObjectKey> changed(Event event) {
    ApiObject pod = event.object();
    changed.add(pod.key(Kinds.POD));
    Optional<ObjectKey> job = jobOf(pod);
    if (job.isPresent()) {
      return List.of(job.get());
    }
    boolean lost = pod.hasFinalizer(Job.TRACKING) && pod.controller().isEmpty();
    return lost ? List.of(pod.key(Kinds.POD)) : List.of();
  }

  /** Takes note of a pod that was just created, without waiting to be told of it. */
  void created(ApiObject pod) {
    changed.add(pod.key(Kinds.POD));
  }

  /** The pods of a Job, also of one of its name that is gone, by name. */
  List<Pod> of(ObjectKey job) {
    catchUp();
    var pods = new ArrayList<Pod>();
    for (ObjectKey key : podsByJob.getOrDefault(job, new TreeSet<>())) {
      cluster.get(key).map(Pod::new).ifPresent(pods::add);
    }
    return pods;
  }

  private void catchUp() {
    for (ObjectKey key : changed.takeAll()) {
      forget(key);
      Optional<ApiObject> pod = cluster.get(key).filter(PodsOfJobs::matters);
      pod.flatMap(PodsOfJobs::jobOf)
          .ifPresent(job -> {
            jobByPod.put(key, job);
            podsByJob.computeIfAbsent(job, ignored -> new TreeSet<>()).add(key);
          });
    }
  }

  private void forget(ObjectKey pod) {
    ObjectKey job = jobByPod.remove(pod);
    TreeSet<ObjectKey> pods = job == null ? null : podsByJob.get(job);
    if (job != null && pods != null) {
      pods.remove(pod);
      if (pods.isEmpty()) {
        podsByJob.remove(job);
      }
    }
  }

  private static boolean matters(ApiObject pod) {
    return pod.hasFinalizer(Job.TRACKING) || !new Pod(pod).isTerminal();
  }

  private static Optional<ObjectKey> jobOf(ApiObject pod) {
    return pod.controller()
        .filter(PodsOfJobs::isJob)
        .map(owner -> Kinds.JOB.key(pod.namespace(), owner.name()));
  }

  private static boolean isJob(OwnerReference owner) {
    return owner.kind().equals(Kinds.JOB.kind()) && owner.group().equals(Kinds.JOB.group());
  }
}
