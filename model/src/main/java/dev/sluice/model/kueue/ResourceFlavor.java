package dev.sluice.model.kueue;

import dev.sluice.model.ApiObject;
import dev.sluice.model.core.node.Taint;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.SortedMap;

/** A ResourceFlavor: a kind of node for which queues have quota. */
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

  /** The tolerations that pods get with this flavor. */
  public List<Tree> tolerations() {
    return object.tree().trees("spec", "tolerations");
  }

  /** The Topology of its nodes; empty if it has none. */
  public String topologyName() {
    return object.spec().text("topologyName");
  }
}
