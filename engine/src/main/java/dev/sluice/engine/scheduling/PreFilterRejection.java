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

/** The rejection of pods that fit on no node, whatever the nodes offer: a PreFilter. */
final class PreFilterRejection {
  private PreFilterRejection() {}

  static Optional<Placement.Unschedulable> find(PodFacts pod, ClusterState cluster) {
    PodSignature signature = pod.signature();
    if (!signature.deviceClaims().isEmpty()) {
      String why =
          "this scheduler does not allocate devices by claims, as %s asks for: make the pod anew"
                  .formatted(String.join(" and ", signature.deviceClaims()))
              + " without spec.resourceClaims, or with another scheduler in spec.schedulerName";
      return Optional.of(nowhere(why, Plugin.DYNAMIC_RESOURCES, cluster));
    }
    if (signature.volumeClaims().isEmpty()) {
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
