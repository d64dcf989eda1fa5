package dev.sluice.model.kueue;

import dev.sluice.model.ApiObject;
import dev.sluice.model.core.node.Taint;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.SortedMap;

/** A kind of node that quota can be given for. */
public record ResourceFlavor(ApiObject object) {

  public String name() {
    return object.name();
  }

  /** The labels of its nodes. */
  public SortedMap<String, String> nodeLabels() {
    return object.tree().texts("spec", "nodeLabels");
  }

  /** The taints of its nodes. */
  public List<Taint> nodeTaints() {
    return object.tree().trees("spec", "nodeTaints").stream().map(Taint::of).toList();
  }

  /** What the pods that are given it tolerate from then on. */
  public List<Tree> tolerations() {
    return object.tree().trees("spec", "tolerations");
  }

  /** The Topology of its nodes; empty if pods are not placed by one. */
  public String topologyName() {
    return object.spec().text("topologyName");
  }
}
