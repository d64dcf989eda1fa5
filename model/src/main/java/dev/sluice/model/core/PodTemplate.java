package dev.sluice.model.core;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a workload makes its pods from. */
public record PodTemplate(Tree tree) {

  public PodSpec spec() {
    return new PodSpec(tree.tree("spec"));
  }

  public PodTemplate withLabel(String name, String value) {
    return new PodTemplate(tree.with(List.of("metadata", "labels", name), value));
  }

  /** With pods that go only to nodes with these labels, beside those they asked for. */
  public PodTemplate selectingNodes(Map<String, String> labels) {
    Tree changed = tree;
    for (var label : labels.entrySet()) {
      changed = changed.with(List.of("spec", "nodeSelector", label.getKey()), label.getValue());
    }
    return new PodTemplate(changed);
  }

  /** With pods that tolerate these too. */
  public PodTemplate tolerating(List<Tree> added) {
    var tolerations = new ArrayList<>(tree.trees("spec", "tolerations"));
    added.stream().filter(one -> !tolerations.contains(one)).forEach(tolerations::add);
    return added.isEmpty()
        ? this
        : new PodTemplate(tree.with(List.of("spec", "tolerations"), Items.of(tolerations)));
  }

  /** Whether the pods of both run the same containers. */
  public boolean runsTheSameAs(PodTemplate other) {
    Tree spec = tree.tree("spec");
    Tree otherSpec = other.tree.tree("spec");
    return spec.at("containers").equals(otherSpec.at("containers"))
        && spec.at("initContainers").equals(otherSpec.at("initContainers"));
  }
}
