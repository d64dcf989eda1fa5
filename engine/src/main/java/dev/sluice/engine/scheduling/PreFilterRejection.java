package dev.sluice.engine.scheduling;

import dev.sluice.engine.scheduling.cluster.ClusterState;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.cluster.PodSignature;
import dev.sluice.engine.scheduling.cluster.VolumeNeeds;
import dev.sluice.engine.scheduling.framework.Placement;
import dev.sluice.engine.scheduling.framework.Plugin;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Pods that cannot be on any node as things are, whatever the nodes offer. */
final class PreFilterRejection {
  private PreFilterRejection() {}

  static Optional<Placement.Unschedulable> find(PodFacts pod, ClusterState cluster) {
    PodSignature shape = pod.shape();
    if (!shape.deviceClaims().isEmpty()) {
      String why =
          "this scheduler does not allocate devices by claims, as %s asks for: make the pod anew"
                  .formatted(String.join(" and ", shape.deviceClaims()))
              + " without spec.resourceClaims, or with another scheduler in spec.schedulerName";
      return Optional.of(nowhere(why, Plugin.DYNAMIC_RESOURCES, cluster));
    }
    if (shape.volumeClaims().isEmpty()) {
      return Optional.empty();
    }
    String problem = VolumeNeeds.of(pod, cluster.volumes()).problem();
    return problem.isEmpty()
        ? Optional.empty()
        : Optional.of(nowhere(problem, Plugin.VOLUME_BINDING, cluster));
  }

  private static Placement.Unschedulable nowhere(String why, Plugin plugin, ClusterState cluster) {
    return Diagnosis.hopeless(cluster.nodeCount(), why, new TreeSet<>(List.of(plugin)));
  }
}
