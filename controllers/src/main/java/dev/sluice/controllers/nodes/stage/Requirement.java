package dev.sluice.controllers.nodes.stage;

import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;

/**
 * One requirement of a stage's selector. The listed values are strings, so numbers never equal
 * them; booleans do, as they are written.
 */
record Requirement(Expression expression, Operator operator, List<String> values) {

  enum Operator {
    IN("In"),
    NOT_IN("NotIn"),
    EXISTS("Exists"),
    DOES_NOT_EXIST("DoesNotExist");

    private final String word;

    Operator(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }

  Requirement {
    values = List.copyOf(values);
  }

  boolean holds(Tree object, Moment moment) {
    List<Value> found = expression.evaluate(object, moment);
    return switch (operator) {
      case IN -> isListed(found);
      case NOT_IN -> !isListed(found);
      case EXISTS -> !found.isEmpty();
      case DOES_NOT_EXIST -> found.isEmpty();
    };
  }

  private boolean isListed(List<Value> found) {
    return found.stream()
        .anyMatch(value ->
            switch (value) {
              case Value.Text(String text) -> values.contains(text);
              case Value.Flag flag -> values.contains(flag.toString());
              case Value _ -> false;
            });
  }
}
