package dev.sluice.simulator.run;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.batch.Job;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Cluster;
import java.util.List;
import java.util.Optional;

/** Says of jobs that did not end what they wait for. */
final class UnfinishedJobs {
  private final Cluster cluster;

  UnfinishedJobs(Cluster cluster) {
    this.cluster = cluster;
  }

  String reason(ApiObject object) {
    var job = new Job(object);
    if (!object.label(KueueNames.QUEUE_NAME).isEmpty()) {
      Optional<Workload> workload =
          cluster.list(Kinds.WORKLOAD, object.namespace()).stream()
              .filter(candidate -> candidate.isOwnedBy(object))
              .map(Workload::new)
              .findFirst();
      if (workload.isEmpty()) {
        return "it has no Workload";
      }
      if (!workload.get().admitted()) {
        return pending(workload.get().status());
      }
    }
    return job.isSuspended() ? "it is suspended" : pods(job);
  }

  private static String pending(WorkloadStatus status) {
    String type =
        status.holds(WorkloadStatus.QUOTA_RESERVED)
            ? WorkloadStatus.ADMITTED
            : WorkloadStatus.QUOTA_RESERVED;
    String message = status.message(type);
    return message.isEmpty() ? "it is pending" : message;
  }

  private String pods(Job job) {
    List<Pod> active =
        cluster.list(Kinds.POD, job.namespace()).stream()
            .filter(pod -> pod.isOwnedBy(job.object()))
            .map(Pod::new)
            .filter(Pod::isActive)
            .toList();
    return active.stream()
        .filter(pod -> !pod.isBound())
        .map(pod -> pod.status().message("PodScheduled"))
        .filter(message -> !message.isEmpty())
        .findFirst()
        .orElse(
            "%d of %d pods run"
                .formatted(
                    active.stream().filter(pod -> pod.phase() == Pod.Phase.RUNNING).count(),
                    job.parallelism()));
  }
}
