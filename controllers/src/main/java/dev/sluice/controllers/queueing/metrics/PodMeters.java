package dev.sluice.controllers.queueing.metrics;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.controllers.queueing.ManagedJobs;
import dev.sluice.controllers.queueing.integration.WorkloadNames;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.Pod;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Event;
import java.time.Duration;
import java.util.Optional;

/** Measures how long pods of admitted workloads are still held back by a gate. */
final class PodMeters {
  private final Cluster cluster;
  private final boolean shortNames;
  private final Meters.Timer opened;

  PodMeters(Cluster cluster, Configuration configuration, Meters meters) {
    this.cluster = cluster;
    this.shortNames = configuration.has(Gate.SHORT_WORKLOAD_NAMES);
    this.opened =
        meters.timer(
            "pod_scheduling_gate_removal_seconds",
            "From the admission of a workload to the removal of a gate of one of its pods",
            Meters.waits(14),
            "name",
            "cluster_queue",
            "is_group");
  }

  void changed(Event event) {
    event
        .before()
        .ifPresent(before -> {
          opened(before, event.object(), KueueNames.ADMISSION_GATE);
          opened(before, event.object(), KueueNames.ELASTIC_JOB_GATE);
        });
  }

  private void opened(ApiObject before, ApiObject now, String gate) {
    if (!isGated(before, gate) || isGated(now, gate)) {
      return;
    }
    workload(now)
        .map(Workload::new)
        .ifPresent(workload ->
            workload
                .status()
                .since(WorkloadStatus.ADMITTED)
                .filter(_ -> workload.admitted())
                .ifPresent(since ->
                    opened.took(
                        Duration.between(since, cluster.time().now()),
                        gate,
                        workload.clusterQueue().orElse(""),
                        Boolean.toString(!ManagedJobs.podGroup(now).isEmpty()))));
  }

  private static boolean isGated(ApiObject pod, String gate) {
    return new Pod(pod).spec().hasSchedulingGate(gate);
  }

  /** The workload is named in the pod, after its group or after the pod itself. */
  private Optional<ApiObject> workload(ApiObject pod) {
    String slice = pod.annotation(KueueNames.SLICE_NAME);
    String group = ManagedJobs.podGroup(pod);
    String prebuilt = ManagedJobs.prebuilt(pod);
    String name =
        !slice.isEmpty()
            ? slice
            : !prebuilt.isEmpty()
                ? prebuilt
                : !group.isEmpty() ? group : WorkloadNames.of(Kinds.POD, pod, "", shortNames);
    return cluster.get(Kinds.WORKLOAD.key(pod.namespace(), name));
  }
}
