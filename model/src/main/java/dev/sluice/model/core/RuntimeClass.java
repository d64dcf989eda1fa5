package dev.sluice.model.core;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Quantities;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.SortedMap;

/** A RuntimeClass: a way to run containers, such as in a virtual machine. */
public record RuntimeClass(ApiObject object) {

  /** The overhead of each pod, in addition to its containers. */
  public Quantities overhead() {
    return Quantities.of(object.tree().tree("overhead", "podFixed"));
  }

  /** The labels of the nodes that support it. */
  public SortedMap<String, String> nodeSelector() {
    return object.tree().texts("scheduling", "nodeSelector");
  }

  /** The tolerations of its pods for the taints of those nodes. */
  public List<Tree> tolerations() {
    return object.tree().trees("scheduling", "tolerations");
  }
}
