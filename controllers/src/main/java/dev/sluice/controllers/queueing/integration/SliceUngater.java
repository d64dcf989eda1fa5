package dev.sluice.controllers.queueing.integration;

import dev.sluice.controllers.ObjectIndex;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodTemplate;
import dev.sluice.model.kueue.Admission;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.ObjectEvent;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The controller that removes the scheduling gate of the pods of elastic jobs, of each pod set at
 * most as many as an admitted slice has. Its keys are chains of slices, by the name of the first
 * slice.
 *
 * <p>Threads: reconciled by one thread at a time.
 */
public final class SliceUngater implements Controller {
  private static final Comparator<Pod> OLDEST_FIRST =
      Comparator.comparing((Pod pod) -> pod.object().created().orElse(Instant.MAX))
          .thenComparing(Pod::name);

  private final Cluster cluster;
  private final ObjectIndex<ObjectKey> pods;
  private final ObjectIndex<ObjectKey> slices;

  public SliceUngater(Cluster cluster) {
    this.cluster = cluster;
    this.pods = new ObjectIndex<>(cluster, Kinds.POD, pod -> List.of(chainOf(pod)));
    this.slices =
        new ObjectIndex<>(cluster, Kinds.WORKLOAD, slice -> List.of(chainOf(new Workload(slice))));
  }

  @Override
  public String name() {
    return "slice-ungater";
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(
        new Trigger(Kinds.POD, this::onPod), new Trigger(Kinds.WORKLOAD, this::onWorkload));
  }

  private List<ObjectKey> onPod(ObjectEvent event) {
    ApiObject pod = event.object();
    if (pod.annotation(KueueNames.SLICE_NAME).isEmpty()) {
      return List.of();
    }
    pods.changed(pod);
    return List.of(chainOf(pod));
  }

  private List<ObjectKey> onWorkload(ObjectEvent event) {
    var workload = new Workload(event.object());
    if (!WorkloadSlices.isSlice(workload)) {
      return List.of();
    }
    slices.changed(event.object());
    return List.of(chainOf(workload));
  }

  private static ObjectKey chainOf(ApiObject pod) {
    return Kinds.WORKLOAD.key(pod.namespace(), pod.annotation(KueueNames.SLICE_NAME));
  }

  private static ObjectKey chainOf(Workload slice) {
    return Kinds.WORKLOAD.key(slice.object().namespace(), WorkloadSlices.chain(slice));
  }

  @Override
  public Outcome reconcile(ObjectKey chain) {
    Map<String, Integer> available = granted(chain);
    List<Pod> living =
        pods.objects(chain).stream()
            .map(Pod::new)
            .filter(pod -> !pod.isTerminal())
            .sorted(OLDEST_FIRST)
            .toList();
    living.stream()
        .filter(pod -> !isGated(pod))
        .forEach(pod -> available.merge(podSet(pod), -1, Integer::sum));
    for (Pod pod : living) {
      if (isGated(pod) && pod.isActive() && available.merge(podSet(pod), -1, Integer::sum) >= 0) {
        cluster.update(
            Kinds.POD,
            PodTemplate.of(pod)
                .withoutSchedulingGate(KueueNames.ELASTIC_JOB_GATE)
                .onto(pod)
                .object());
      }
    }
    return Outcome.DONE;
  }

  /** The number of pods of each pod set that may run: that of the largest admitted slice. */
  private Map<String, Integer> granted(ObjectKey chain) {
    var granted = new TreeMap<String, Integer>();
    for (ApiObject object : slices.objects(chain)) {
      var slice = new Workload(object);
      boolean counts =
          slice.admitted() && !slice.finished() && !slice.status().holds(WorkloadStatus.EVICTED);
      for (PodSet podSet : counts ? slice.podSets() : List.<PodSet>of()) {
        int assigned =
            slice
                .admission()
                .flatMap(all -> all.of(podSet.name()))
                .map(Admission.Assignment::count)
                .orElse(0);
        granted.merge(podSet.name(), Math.min(assigned, podSet.count()), Math::max);
      }
    }
    return granted;
  }

  private static boolean isGated(Pod pod) {
    return pod.spec().hasSchedulingGate(KueueNames.ELASTIC_JOB_GATE);
  }

  private static String podSet(Pod pod) {
    return pod.object().label(KueueNames.POD_SET);
  }
}
