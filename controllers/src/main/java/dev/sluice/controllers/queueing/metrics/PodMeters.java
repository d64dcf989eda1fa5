package dev.sluice.controllers.queueing.metrics;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.controllers.queueing.ManagedJobs;
import dev.sluice.controllers.queueing.WorkloadNames;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.ObjectEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * The time from the admission of a workload until the scheduling gates of its pods are removed.
 *
 * <p>Threads: safe.
 */
final class PodMeters {
  private final Cluster cluster;
  private final boolean shortNames;
  private final Meters.Timer opened;
  private final SortedSet<Slice> slices = new ConcurrentSkipListSet<>();

  /** A workload slice; its chain has the name of the first slice. */
  private record Slice(String namespace, String chain, String name) implements Comparable<Slice> {
    private static final Comparator<Slice> ORDER =
        Comparator.comparing(Slice::namespace)
            .thenComparing(Slice::chain)
            .thenComparing(Slice::name);

    @Override
    public int compareTo(Slice other) {
      return ORDER.compare(this, other);
    }

    boolean isInChainOf(Slice other) {
      return namespace.equals(other.namespace) && chain.equals(other.chain);
    }
  }

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

  /** Updates the chains of slices: a pod names only the first slice. */
  void workloadChanged(ObjectEvent event) {
    ApiObject workload = event.object();
    String chain = workload.annotation(KueueNames.SLICE_NAME);
    if (chain.isEmpty()) {
      return;
    }
    var slice = new Slice(workload.namespace(), chain, workload.name());
    switch (event.type()) {
      case ADDED, MODIFIED -> slices.add(slice);
      case DELETED -> slices.remove(slice);
    }
  }

  void podChanged(ObjectEvent event) {
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
        .filter(Workload::admitted)
        .ifPresent(workload ->
            workload
                .status()
                .since(WorkloadStatus.ADMITTED)
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

  /**
   * The workload of a pod: it has the name in the pod's annotation, of its group, or one made of
   * the pod's own.
   */
  private Optional<Workload> workload(ApiObject pod) {
    String chain = pod.annotation(KueueNames.SLICE_NAME);
    if (!chain.isEmpty()) {
      return newest(new Slice(pod.namespace(), chain, ""));
    }
    String group = ManagedJobs.podGroup(pod);
    String prebuilt = ManagedJobs.prebuilt(pod);
    String name =
        !prebuilt.isEmpty()
            ? prebuilt
            : !group.isEmpty() ? group : WorkloadNames.of(Kinds.POD, pod, "", shortNames);
    return workload(pod.namespace(), name);
  }

  private Optional<Workload> workload(String namespace, String name) {
    return cluster.get(Kinds.WORKLOAD.key(namespace, name)).map(Workload::new);
  }

  /** The slice that ungated the pod: the last of its chain that was admitted. */
  private Optional<Workload> newest(Slice first) {
    return slices.tailSet(first).stream()
        .takeWhile(first::isInChainOf)
        .flatMap(slice -> workload(slice.namespace(), slice.name()).stream())
        .filter(slice -> slice.admitted() && !slice.finished())
        .max(
            Comparator.comparing(
                slice -> slice.status().since(WorkloadStatus.ADMITTED).orElse(Instant.MIN)));
  }
}
