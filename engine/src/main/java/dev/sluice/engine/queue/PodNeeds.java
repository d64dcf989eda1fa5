package dev.sluice.engine.queue;

import dev.sluice.model.Amounts;
import dev.sluice.model.core.node.NodeAffinity;
import dev.sluice.model.core.node.Toleration;
import dev.sluice.model.core.pod.PodSpec;
import java.util.List;
import java.util.SortedMap;

/**
 * The scheduling requirements of a pod. Pods with equal needs fit on the same nodes, so a result
 * for one holds for the others.
 */
public record PodNeeds(
    Amounts requests,
    SortedMap<String, String> nodeSelector,
    NodeAffinity affinity,
    List<Toleration> tolerations) {

  public PodNeeds {
    tolerations = List.copyOf(tolerations);
  }

  public static PodNeeds of(PodSpec pod) {
    return new PodNeeds(pod.requests(), pod.nodeSelector(), pod.nodeAffinity(), pod.tolerations());
  }
}
