package dev.sluice.engine.scheduling.cluster;

import dev.sluice.model.core.node.NodeRequirement;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A compiled label selector; it selects everything if it has no requirements. */
public record LabelDemand(List<NodeRequirement> demands) {

  public LabelDemand {
    demands = List.copyOf(demands);
  }

  public static LabelDemand of(Tree selector) {
    var demands = new ArrayList<NodeRequirement>();
    selector
        .texts("matchLabels")
        .forEach((key, value) -> demands.add(new NodeRequirement(key, "In", List.of(value))));
    selector.trees("matchExpressions").stream().map(NodeRequirement::of).forEach(demands::add);
    return new LabelDemand(demands);
  }

  /**
   * Adds requirements for the labels among these keys that the pod has, such as {@code In} the
   * pod's value.
   */
  LabelDemand and(List<String> keys, String operator, SortedMap<String, String> podLabels) {
    var more = new ArrayList<>(demands);
    for (String key : keys) {
      String value = podLabels.get(key);
      if (value != null) {
        more.add(new NodeRequirement(key, operator, List.of(value)));
      }
    }
    return new LabelDemand(more);
  }

  public boolean isEmpty() {
    return demands.isEmpty();
  }

  boolean selects(SortedMap<String, String> labels) {
    return selects(key -> labels.get(key));
  }

  public boolean selects(Tree labels) {
    return selects(key -> labels.at(key) instanceof Value.Text(String value) ? value : null);
  }

  private boolean selects(Function<String, @Nullable String> labels) {
    for (NodeRequirement demand : demands) {
      if (!demand.accepts(labels.apply(demand.key()))) {
        return false;
      }
    }
    return true;
  }
}
