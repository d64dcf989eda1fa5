package dev.sluice.controllers.jobs;

import dev.sluice.controllers.ChangedKeys;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.OwnerReference;
import dev.sluice.model.batch.Job;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.ObjectEvent;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The index of pods by the Job that counts them.
 *
 * <p>Threads: {@link #changed} and {@link #written} are safe; the rest belongs to the controller.
 */
final class PodsByJob {
  /** A Job by name and uid, since the name may be used again. */
  private record Owner(ObjectKey job, String uid) {}

  private final Cluster cluster;
  private final ChangedKeys changed = new ChangedKeys();
  private final TreeMap<ObjectKey, TreeMap<String, JobPods>> podsByJob = new TreeMap<>();
  private final TreeMap<ObjectKey, Owner> ownerByPod = new TreeMap<>();

  PodsByJob(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Indexes a changed pod and returns what to reconcile: Jobs, or a pod without a controller. */
  List<ObjectKey> changed(ObjectEvent event) {
    ApiObject pod = event.object();
    changed.add(pod.key(Kinds.POD));
    var concerned = new LinkedHashSet<ObjectKey>();
    event.before().flatMap(PodsByJob::owner).ifPresent(owner -> concerned.add(owner.job()));
    owner(pod).ifPresent(owner -> concerned.add(owner.job()));
    if (pod.controller().isEmpty()) {
      concerned.add(pod.key(Kinds.POD));
    }
    return List.copyOf(concerned);
  }

  /** Indexes a pod that was just written, without waiting for its event. */
  void written(ObjectKey pod) {
    changed.add(pod);
  }

  JobPods of(Job job) {
    if (job.status().terminating() > 0) {
      noteGone(known(job));
    }
    return known(job);
  }

  private JobPods known(Job job) {
    catchUp();
    TreeMap<String, JobPods> all = podsByJob.getOrDefault(job.key(), new TreeMap<>());
    return all.getOrDefault(job.object().uid(), new JobPods());
  }

  /**
   * A watch that was interrupted while pods were created and deleted never reports that they are
   * gone.
   */
  private void noteGone(JobPods pods) {
    Stream.concat(pods.active().stream(), pods.ended().stream())
        .map(Pod::key)
        .filter(pod -> cluster.get(pod).isEmpty())
        .toList()
        .forEach(changed::add);
  }

  /** The pods of all Jobs that ever had this name, except those of the Job with this uid. */
  List<Pod> ofOthers(ObjectKey job, String uid) {
    catchUp();
    var pods = new ArrayList<Pod>();
    podsByJob
        .getOrDefault(job, new TreeMap<>())
        .forEach((owner, owned) -> {
          if (!owner.equals(uid)) {
            pods.addAll(owned.active());
            pods.addAll(owned.ended());
          }
        });
    return pods;
  }

  private void catchUp() {
    for (ObjectKey key : changed.takeAll()) {
      Optional<Pod> pod = cluster.get(key).map(Pod::new).filter(JobPods::matter);
      Optional<Owner> owner = pod.flatMap(found -> owner(found.object()));
      Owner before = ownerByPod.get(key);
      if (before != null && !before.equals(owner.orElse(null))) {
        forget(key, before);
      }
      if (pod.isPresent() && owner.isPresent()) {
        ownerByPod.put(key, owner.get());
        podsByJob
            .computeIfAbsent(owner.get().job(), _ -> new TreeMap<>())
            .computeIfAbsent(owner.get().uid(), _ -> new JobPods())
            .put(pod.get());
      }
    }
  }

  private void forget(ObjectKey pod, Owner owner) {
    ownerByPod.remove(pod);
    TreeMap<String, JobPods> all = podsByJob.getOrDefault(owner.job(), new TreeMap<>());
    JobPods pods = all.getOrDefault(owner.uid(), new JobPods());
    pods.remove(pod.name());
    if (pods.isEmpty()) {
      all.remove(owner.uid());
    }
    if (all.isEmpty()) {
      podsByJob.remove(owner.job());
    }
  }

  private static Optional<Owner> owner(ApiObject pod) {
    return pod.controller()
        .filter(PodsByJob::isJob)
        .map(owner -> new Owner(Kinds.JOB.key(pod.namespace(), owner.name()), owner.uid()));
  }

  private static boolean isJob(OwnerReference owner) {
    return owner.kind().equals(Kinds.JOB.kind()) && owner.group().equals(Kinds.JOB.group());
  }
}
