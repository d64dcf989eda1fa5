package dev.sluice.model.core.pod;

import dev.sluice.model.ApiObject;
import dev.sluice.model.SemanticEquality;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** A pod template. */
public record PodTemplate(Tree tree) {
  private static final String GATES = "schedulingGates";
  private static final List<String> METADATA = List.of("labels", "annotations");
  private static final List<String> STEERING = List.of("nodeSelector", "tolerations", GATES);

  public PodSpec spec() {
    return new PodSpec(tree.tree("spec"));
  }

  /** The template of a single pod. */
  public static PodTemplate of(Pod pod) {
    Tree metadata = Tree.EMPTY;
    for (String name : METADATA) {
      metadata = copied(metadata, pod.object().metadata(), name);
    }
    return new PodTemplate(Tree.of("metadata", metadata, "spec", pod.object().spec()));
  }

  /** The pod with the labels, annotations and spec of this template. */
  public Pod onto(Pod pod) {
    ApiObject changed = pod.object().withSpec(tree.tree("spec"));
    for (String name : METADATA) {
      Tree metadata = tree.tree("metadata");
      changed = metadata.has(name) ? changed.withMetadata(name, metadata.at(name)) : changed;
    }
    return new Pod(changed);
  }

  public SortedMap<String, String> labels() {
    return tree.texts("metadata", "labels");
  }

  public SortedMap<String, String> annotations() {
    return tree.texts("metadata", "annotations");
  }

  public PodTemplate withAnnotation(String name, String value) {
    return new PodTemplate(tree.with(List.of("metadata", "annotations", name), value));
  }

  /** With a scheduling gate. */
  public PodTemplate withSchedulingGate(String name) {
    Tree gate = Tree.of("name", name);
    var gates = new ArrayList<>(tree.trees("spec", GATES));
    if (gates.contains(gate)) {
      return this;
    }
    gates.add(gate);
    return new PodTemplate(tree.with(List.of("spec", GATES), Items.of(gates)));
  }

  public PodTemplate withoutSchedulingGate(String name) {
    List<Tree> kept =
        tree.trees("spec", GATES).stream().filter(gate -> !gate.text("name").equals(name)).toList();
    return new PodTemplate(
        kept.isEmpty()
            ? tree.without(List.of("spec", GATES))
            : tree.with(List.of("spec", GATES), Items.of(kept)));
  }

  /** With the labels, annotations, node selector, tolerations and gates of another template. */
  public PodTemplate steeredLike(PodTemplate other) {
    Tree metadata = tree.tree("metadata");
    for (String name : METADATA) {
      metadata = copied(metadata, other.tree.tree("metadata"), name);
    }
    Tree spec = tree.tree("spec");
    for (String name : STEERING) {
      spec = copied(spec, other.tree.tree("spec"), name);
    }
    Tree changed = tree.with("spec", spec);
    boolean bare = metadata.isEmpty() && !other.tree.has("metadata");
    return new PodTemplate(bare ? changed.without("metadata") : changed.with("metadata", metadata));
  }

  private static Tree copied(Tree to, Tree from, String name) {
    return from.has(name) ? to.with(name, from.at(name)) : to.without(name);
  }

  public PodTemplate withLabel(String name, String value) {
    return new PodTemplate(tree.with(List.of("metadata", "labels", name), value));
  }

  /** With additional labels in the node selector. */
  public PodTemplate selectingNodes(Map<String, String> labels) {
    Tree changed = tree;
    for (var label : labels.entrySet()) {
      changed = changed.with(List.of("spec", "nodeSelector", label.getKey()), label.getValue());
    }
    return new PodTemplate(changed);
  }

  /** With additional tolerations. */
  public PodTemplate tolerating(List<Tree> added) {
    var tolerations = new ArrayList<>(tree.trees("spec", "tolerations"));
    added.stream().filter(one -> !tolerations.contains(one)).forEach(tolerations::add);
    return added.isEmpty()
        ? this
        : new PodTemplate(tree.with(List.of("spec", "tolerations"), Items.of(tolerations)));
  }

  /** Whether both have the same containers. */
  public boolean runsTheSameAs(PodTemplate other) {
    Tree spec = tree.tree("spec");
    Tree otherSpec = other.tree.tree("spec");
    return SemanticEquality.holds(spec.at("containers"), otherSpec.at("containers"))
        && SemanticEquality.holds(spec.at("initContainers"), otherSpec.at("initContainers"));
  }

  /** Whether both have the same tolerations. */
  public boolean toleratesTheSameAs(PodTemplate other) {
    return SemanticEquality.holds(
        tree.at("spec", "tolerations"), other.tree.at("spec", "tolerations"));
  }
}
