package dev.sluice.model;

import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Map;

/** A label selector in an object. An empty one selects everything. */
public record LabelSelector(Tree tree) {

  public boolean matches(Map<String, String> labels) {
    boolean equal =
        tree.texts("matchLabels").entrySet().stream()
            .allMatch(wanted -> wanted.getValue().equals(labels.get(wanted.getKey())));
    return equal
        && tree.trees("matchExpressions").stream()
            .allMatch(expression -> holds(expression, labels));
  }

  private static boolean holds(Tree expression, Map<String, String> labels) {
    String key = expression.text("key");
    List<String> values = expression.textItems("values");
    return switch (expression.text("operator")) {
      case "In" -> labels.containsKey(key) && values.contains(labels.get(key));
      case "NotIn" -> !labels.containsKey(key) || !values.contains(labels.get(key));
      case "Exists" -> labels.containsKey(key);
      case "DoesNotExist" -> !labels.containsKey(key);
      default -> false;
    };
  }
}
