package dev.sluice.engine.queue;

import dev.sluice.model.core.node.Taint;
import dev.sluice.model.core.node.Toleration;
import dev.sluice.model.kueue.ResourceFlavor;
import java.util.List;
import java.util.SortedMap;

/** The part of a ResourceFlavor that decides which pods it suits. */
public record FlavorSpec(
    String name,
    SortedMap<String, String> nodeLabels,
    List<Taint> taints,
    List<Toleration> tolerations) {
  public FlavorSpec {
    taints = List.copyOf(taints);
    tolerations = List.copyOf(tolerations);
  }

  public static FlavorSpec of(ResourceFlavor flavor) {
    return new FlavorSpec(
        flavor.name(),
        flavor.nodeLabels(),
        flavor.nodeTaints(),
        flavor.tolerations().stream().map(Toleration::of).toList());
  }
}
