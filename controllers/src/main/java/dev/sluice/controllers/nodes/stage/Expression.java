package dev.sluice.controllers.nodes.stage;

import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;

/**
 * An expression that finds values in an object, for the selectors, weights and delays of stages.
 *
 * <p>Threads: safe.
 */
sealed interface Expression permits PathExpression, JqExpression, CelExpression, RunTimeExpression {

  /** The values that it finds, without nulls; none if it fails. */
  List<Value> evaluate(Tree object, Moment moment);

  /**
   * Parses a jq program, or the name of a computed value.
   *
   * @throws IllegalArgumentException if that fails, saying why
   */
  static Expression jq(String program) {
    if (program.strip().equals(RunTimeExpression.NAME)) {
      return new RunTimeExpression();
    }
    return PathExpression.parse(program)
        .<Expression>map(path -> path)
        .orElseGet(() -> JqExpression.compile(program));
  }
}
