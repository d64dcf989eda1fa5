package dev.sluice.controllers.nodes.stage;

import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;

/**
 * Finds values in an object, as a stage's selectors, weights and delays ask for them.
 *
 * <p>Threads: safe.
 */
sealed interface Expression permits PathExpression, JqExpression, CelExpression, RunTimeExpression {

  /** What it finds, without nulls; nothing if it fails. */
  List<Value> evaluate(Tree object, Moment moment);

  /**
   * Reads a jq program, or the name of a value that we compute.
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
