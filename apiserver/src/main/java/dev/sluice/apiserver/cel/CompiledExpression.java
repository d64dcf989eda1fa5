package dev.sluice.apiserver.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime.Program;

/**
 * A compiled expression.
 *
 * @param loops whether it iterates; if not, it takes few steps of its own, and only what its
 *     functions do need be metered
 */
record CompiledExpression(Program program, boolean loops) {

  static CompiledExpression of(CelAbstractSyntaxTree tree) {
    boolean loops =
        CelNavigableAst.fromAst(tree)
            .getRoot()
            .allNodes()
            .anyMatch(node -> node.getKind() == Kind.COMPREHENSION);
    try {
      return new CompiledExpression(Environment.RUNTIME.createProgram(tree), loops);
    } catch (CelEvaluationException broken) {
      throw new IllegalStateException("a checked expression could not be made to run", broken);
    }
  }
}
