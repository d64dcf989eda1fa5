package dev.sluice.model.core;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Quantities;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.SortedMap;

/** A way to run containers, such as in a virtual machine of their own. */
public record RuntimeClass(ApiObject object) {

  /** What it costs for each pod, beside the pod's containers. */
  public Quantities overhead() {
    return Quantities.of(object.tree().tree("overhead", "podFixed"));
  }

  /** The labels of the nodes that know it. */
  public SortedMap<String, String> nodeSelector() {
    return object.tree().texts("scheduling", "nodeSelector");
  }

  /** The taints of those nodes that its pods bear with. */
  public List<Tree> tolerations() {
    return object.tree().trees("scheduling", "tolerations");
  }
}
