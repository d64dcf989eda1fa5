package dev.sluice.apiserver.registry.admission;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The plugin PodTopologyLabels: pods get the region and zone labels of their node. */
public final class TopologyLabels {
  private static final List<String> LABELS =
      List.of("topology.kubernetes.io/region", "topology.kubernetes.io/zone");

  private TopologyLabels() {}

  /** A bound pod with the labels, as far as its node has them. */
  public static ApiObject admitPod(ApiObject pod, Function<ObjectKey, Optional<ApiObject>> stored) {
    String name = pod.spec().text("nodeName");
    Optional<ApiObject> node =
        name.isEmpty() ? Optional.empty() : stored.apply(Kinds.NODE.key(name));
    ApiObject labelled = pod;
    for (String label : node.isPresent() ? LABELS : List.<String>of()) {
      String value = node.get().label(label);
      labelled = value.isEmpty() ? labelled : labelled.withLabel(label, value);
    }
    return labelled;
  }
}
