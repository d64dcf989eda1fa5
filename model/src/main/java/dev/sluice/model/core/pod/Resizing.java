package dev.sluice.model.core.pod;

import dev.sluice.model.Quantities;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The requests of a pod while its containers are resized: for each container the maximum of the
 * desired and the allocated ones, until its node has resized it. A resize that the node rejected
 * does not count.
 */
final class Resizing {
  private static final String REFUSED = "Infeasible";
  private static final List<String> LISTS = List.of("containerStatuses", "initContainerStatuses");

  private Resizing() {}

  /** The spec of a pod with the requests that count; the same one if nothing is resized. */
  static PodSpec counted(Pod pod) {
    if (!says(pod.status().tree())) {
      return pod.spec();
    }
    Map<String, Quantities> held = held(pod.status().tree());
    boolean refused = pod.status().reason("PodResizePending").equals(REFUSED);
    PodSpec counted = pod.spec().withContainers(container -> counted(container, held, refused));
    return counted.requests().equals(pod.spec().requests()) ? pod.spec() : counted;
  }

  private static Container counted(
      Container container, Map<String, Quantities> held, boolean refused) {
    Quantities has = held.getOrDefault(container.name(), Quantities.NONE);
    ResourceNeeds needs = container.resources();
    Quantities counted = refused ? has.orElse(needs.requests()) : needs.requests().max(has);
    return container.withResources(new ResourceNeeds(counted, needs.limits()));
  }

  /** Whether the status has allocated resources; that of most simulated pods has none. */
  private static boolean says(Tree status) {
    for (String list : LISTS) {
      for (Value container : status.items(list)) {
        if (says(container)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean says(Value container) {
    return container.asTree().has("allocatedResources") || container.asTree().has("resources");
  }

  /** The allocated resources of containers, by name, if the status has them. */
  private static Map<String, Quantities> held(Tree status) {
    var held = new TreeMap<String, Quantities>();
    for (String list : LISTS) {
      for (Value item : status.items(list)) {
        Tree container = item.asTree();
        if (says(item)) {
          held.put(
              container.text("name"),
              Quantities.of(container.tree("allocatedResources"))
                  .max(Quantities.of(container.tree("resources", "requests"))));
        }
      }
    }
    return held;
  }
}
