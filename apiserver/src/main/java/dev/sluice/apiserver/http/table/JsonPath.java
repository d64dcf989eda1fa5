package dev.sluice.apiserver.http.table;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntPredicate;

/**
 * The part of kubectl's JSONPath that printer columns use: fields, quoted fields, indexes, slices,
 * wildcards, unions, descent, and filters that compare or look for a field. A missing field gives
 * no result rather than an error.
 */
public record JsonPath(List<Step> steps) {

  /** One step from a value to others. */
  sealed interface Step {
    record Field(String name) implements Step {}

    /** Elements of an array; an omitted bound is empty. Negative numbers count from the end. */
    record Slice(OptionalInt from, OptionalInt to, int stride) implements Step {}

    record Index(int index) implements Step {}

    record Every() implements Step {}

    /** The value and everything below it. */
    record Descend() implements Step {}

    record Union(List<Step> members) implements Step {}

    /** Keeps the elements for which the comparison is true. */
    record Filter(Operand left, String operator, Operand right) implements Step {}
  }

  /** One side of a comparison: a path from the element, or a literal. */
  sealed interface Operand {
    record Path(JsonPath path) implements Operand {}

    record Literal(Value value) implements Operand {}
  }

  public JsonPath {
    steps = List.copyOf(steps);
  }

  /** Parses a path, with or without braces around it; throws if it is invalid. */
  public static JsonPath parse(String text) {
    return new JsonPathParser(text).parse();
  }

  /** All values at the path. */
  public List<Value> find(Value root) {
    List<Value> found = List.of(root);
    for (Step step : steps) {
      var next = new ArrayList<Value>();
      for (Value value : found) {
        take(step, value, next);
      }
      found = next;
    }
    return found;
  }

  private static void take(Step step, Value value, List<Value> into) {
    switch (step) {
      case Step.Field(String name) -> {
        if (value instanceof Tree tree && tree.has(name)) {
          into.add(tree.at(name));
        }
      }
      case Step.Index(int index) -> {
        List<Value> items = items(value);
        int at = index < 0 ? items.size() + index : index;
        if (at >= 0 && at < items.size()) {
          into.add(items.get(at));
        }
      }
      case Step.Slice slice -> slice(slice, items(value), into);
      case Step.Every() -> into.addAll(children(value));
      case Step.Descend() -> descend(value, into);
      case Step.Union(List<Step> members) -> members.forEach(member -> take(member, value, into));
      case Step.Filter filter -> {
        for (Value element : children(value)) {
          if (holds(filter, element)) {
            into.add(element);
          }
        }
      }
    }
  }

  private static void slice(Step.Slice slice, List<Value> items, List<Value> into) {
    int size = items.size();
    int from = bound(slice.from().orElse(0), size);
    int to = bound(slice.to().orElse(size), size);
    for (int i = from; i < to; i += slice.stride()) {
      into.add(items.get(i));
    }
  }

  private static int bound(int position, int size) {
    return Math.clamp(position < 0 ? position + size : position, 0, size);
  }

  private static void descend(Value value, List<Value> into) {
    into.add(value);
    children(value).forEach(child -> descend(child, into));
  }

  private static List<Value> items(Value value) {
    return value instanceof Items(List<Value> items) ? items : List.of();
  }

  private static List<Value> children(Value value) {
    return value instanceof Tree tree
        ? tree.names().stream().map(name -> tree.at(name)).toList()
        : items(value);
  }

  private static boolean holds(Step.Filter filter, Value element) {
    List<Value> left = values(filter.left(), element);
    if (filter.operator().isEmpty()) {
      return !left.isEmpty();
    }
    List<Value> right = values(filter.right(), element);
    if (left.isEmpty() || right.isEmpty()) {
      return false;
    }
    Value one = left.getFirst();
    Value other = right.getFirst();
    return switch (filter.operator()) {
      case "==" -> one.equals(other) || compares(one, other, order -> order == 0);
      case "!=" -> !one.equals(other) && !compares(one, other, order -> order == 0);
      case "<" -> compares(one, other, order -> order < 0);
      case "<=" -> compares(one, other, order -> order <= 0);
      case ">" -> compares(one, other, order -> order > 0);
      default -> compares(one, other, order -> order >= 0);
    };
  }

  private static List<Value> values(Operand operand, Value element) {
    return switch (operand) {
      case Operand.Path(JsonPath path) -> path.find(element);
      case Operand.Literal(Value value) -> List.of(value);
    };
  }

  private static boolean compares(Value one, Value other, IntPredicate wanted) {
    if (one instanceof Value.Text(String left) && other instanceof Value.Text(String right)) {
      return wanted.test(left.compareTo(right));
    }
    var left = number(one);
    var right = number(other);
    return left.isPresent() && right.isPresent() && wanted.test(left.get().compareTo(right.get()));
  }

  private static Optional<BigDecimal> number(Value value) {
    return switch (value) {
      case Value.Whole(long number) -> Optional.of(BigDecimal.valueOf(number));
      case Value.Decimal(BigDecimal number) -> Optional.of(number);
      case Value.Text _, Value.Flag _, Value.Null _, Value.Container _ -> Optional.empty();
    };
  }
}
