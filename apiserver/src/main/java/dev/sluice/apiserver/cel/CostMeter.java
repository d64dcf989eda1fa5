package dev.sluice.apiserver.cel;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The cost of an evaluation, which stops when it exceeds its limit.
 *
 * <p>As in Kubernetes, every step costs one, and a function that traverses its arguments costs as
 * much as their size: a string counts a tenth of its length. The numbers are close to Kubernetes',
 * not the same. Threads: one, for one evaluation.
 */
final class CostMeter {
  /** The limit for one evaluation of one expression. */
  static final long MAX_EVALUATION = 1_000_000;

  /** The limit for all evaluations for one object together. */
  static final long MAX_OBJECT = 10_000_000;

  private static final int CHARACTERS_A_STEP = 10;

  /** Functions whose cost does not depend on the size of their arguments. */
  private static final Set<String> CONSTANT =
      Set.of("_[_]", "_[?_]", "_?._", "size", "_?_:_", "_&&_", "_||_", "!_", "@not_strictly_false");

  /** Functions that compare each element of one argument with each of the other. */
  private static final Set<String> SQUARE =
      Set.of("sets.contains", "sets.equivalent", "sets.intersects", "distinct", "sort");

  private final Map<Long, Object> values = new HashMap<>();
  private final long limit;
  private long spent;

  CostMeter(long limit) {
    this.limit = limit;
  }

  long spent() {
    return spent;
  }

  /** Whether the evaluation exceeded its limit; its result is meaningless then. */
  boolean isExceeded() {
    return spent > limit;
  }

  /** Charges one step that has been evaluated. */
  void charge(CelExpr step, Object value) {
    Kind kind = step.exprKind().getKind();
    values.put(step.id(), value);
    if (kind != Kind.CONSTANT && kind != Kind.IDENT) {
      spent++;
    }
    if (kind == Kind.CALL) {
      spent += cost(step.call());
    }
    if (isExceeded()) {
      throw new IllegalStateException("the expression costs more than " + limit);
    }
  }

  private long cost(CelCall call) {
    if (CONSTANT.contains(call.function())) {
      return 0;
    }
    List<Object> arguments =
        Stream.concat(call.target().stream(), call.args().stream())
            .map(argument -> values.getOrDefault(argument.id(), ""))
            .toList();
    long sum = 0;
    long product = 1;
    for (Object argument : arguments) {
      long weight = weight(argument);
      sum += weight;
      product *= Math.max(1, Math.min(weight, Integer.MAX_VALUE / 2));
    }
    boolean square = SQUARE.contains(call.function());
    return square ? (arguments.size() == 1 ? product * product : product) : sum;
  }

  private static long weight(Object value) {
    return switch (value) {
      case String text -> text.length() / CHARACTERS_A_STEP;
      case ListView view -> weight(view.items());
      case ObjectView view -> weight(view.tree());
      case List<?> list -> list.stream().mapToLong(element -> 1 + weight(element)).sum();
      case Map<?, ?> map -> map.values().stream().mapToLong(element -> 1 + weight(element)).sum();
      default -> 0;
    };
  }

  private static long weight(Value value) {
    return switch (value) {
      case Value.Text(String text) -> text.length() / CHARACTERS_A_STEP;
      case Items(List<Value> items) -> items.stream().mapToLong(item -> 1 + weight(item)).sum();
      case Tree tree -> tree.names().stream().mapToLong(name -> 1 + weight(tree.at(name))).sum();
      case Value.Whole _, Value.Decimal _, Value.Flag _, Value.Null _ -> 0;
    };
  }
}
