package dev.sluice.model;

import dev.sluice.model.LabelRequirement.Operator;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A label selector, compiled once to be evaluated often. It selects the objects whose labels meet
 * every requirement; one without requirements selects everything.
 */
public record LabelSelector(List<LabelRequirement> requirements) {

  public LabelSelector {
    requirements = List.copyOf(requirements);
  }

  /** Compiles a selector as it stands in objects: matchLabels and matchExpressions. */
  public LabelSelector(Tree selector) {
    this(compiled(selector));
  }

  private static List<LabelRequirement> compiled(Tree selector) {
    var requirements = new ArrayList<LabelRequirement>();
    selector
        .tree("matchLabels")
        .forEach((key, value) -> {
          if (value instanceof Value.Text(String text)) {
            requirements.add(new LabelRequirement(key, Operator.IN, List.of(text)));
          }
        });
    for (Value expression : selector.items("matchExpressions")) {
      if (expression instanceof Tree tree) {
        requirements.add(LabelRequirement.of(tree));
      }
    }
    return requirements;
  }

  /**
   * Also requires that labels with these keys, as far as they are given, have or lack the value.
   */
  public LabelSelector and(List<String> keys, Operator operator, Map<String, String> labels) {
    var more = new ArrayList<>(requirements);
    for (String key : keys) {
      String value = labels.get(key);
      if (value != null) {
        more.add(new LabelRequirement(key, operator, List.of(value)));
      }
    }
    return more.size() == requirements.size() ? this : new LabelSelector(more);
  }

  public boolean isEmpty() {
    return requirements.isEmpty();
  }

  // Plain loops: the scheduler evaluates selectors for every pod of every node.

  public boolean matches(Map<String, String> labels) {
    for (LabelRequirement requirement : requirements) {
      if (!requirement.accepts(labels.get(requirement.key()))) {
        return false;
      }
    }
    return true;
  }

  /** Evaluates labels as they stand in an object, without making a map of them. */
  public boolean matches(Tree labels) {
    for (LabelRequirement requirement : requirements) {
      Value label = labels.at(requirement.key());
      if (!requirement.accepts(label instanceof Value.Text(String value) ? value : null)) {
        return false;
      }
    }
    return true;
  }
}
