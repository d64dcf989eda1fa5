package dev.sluice.engine.placement;

import dev.sluice.model.core.Taint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether a pod may run on a node, and if not, why: in the words of the Kubernetes scheduler. */
public final class Fit {
  private static final Taint UNSCHEDULABLE =
      new Taint("node.kubernetes.io/unschedulable", "", Taint.NO_SCHEDULE);

  private Fit() {}

  /** What keeps the pod from the node; empty if it fits. */
  public static List<String> obstacles(PodNeeds pod, NodeRoom node) {
    if (node.unschedulable() && !tolerates(pod, UNSCHEDULABLE)) {
      return List.of("node(s) were unschedulable");
    }
    if (!node.ready()) {
      return List.of("node(s) were not ready");
    }
    Optional<Taint> repelling =
        node.taints().stream().filter(taint -> !tolerates(pod, taint)).findFirst();
    if (repelling.isPresent()) {
      Taint taint = repelling.get();
      return List.of(
          "node(s) had untolerated taint {%s: %s}".formatted(taint.key(), taint.value()));
    }
    boolean selected = node.labels().entrySet().containsAll(pod.nodeSelector().entrySet());
    if (!selected || !pod.affinity().matches(node.name(), node.labels())) {
      return List.of("node(s) didn't match Pod's node affinity/selector");
    }
    return missing(pod, node);
  }

  public static boolean fits(PodNeeds pod, NodeRoom node) {
    return obstacles(pod, node).isEmpty();
  }

  private static boolean tolerates(PodNeeds pod, Taint taint) {
    return pod.tolerations().stream().anyMatch(toleration -> toleration.tolerates(taint));
  }

  private static List<String> missing(PodNeeds pod, NodeRoom node) {
    List<String> missing = List.of();
    if (node.load().pods() >= node.allocatable().get("pods")) {
      missing = List.of("Too many pods");
    }
    for (var request : pod.requests().byResource().entrySet()) {
      String resource = request.getKey();
      if (request.getValue() > 0 && request.getValue() > node.free(resource)) {
        missing = new ArrayList<>(missing);
        missing.add("Insufficient " + resource);
      }
    }
    return missing;
  }
}
