package dev.sluice.model.core.node;

import dev.sluice.model.tree.Tree;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One requirement of a node selector term on a label or a field. */
public record NodeRequirement(String key, String operator, List<String> values) {
  private static final Pattern WHOLE = Pattern.compile("[+-]?\\d{1,64}");

  public NodeRequirement {
    values = List.copyOf(values);
  }

  public static NodeRequirement of(Tree tree) {
    return new NodeRequirement(tree.text("key"), tree.text("operator"), tree.textItems("values"));
  }

  /** Whether a label with this value, or its absence, meets the requirement. */
  public boolean accepts(@Nullable String value) {
    return switch (operator) {
      case "In" -> value != null && values.contains(value);
      case "NotIn" -> value == null || !values.contains(value);
      case "Exists" -> value != null;
      case "DoesNotExist" -> value == null;
      case "Gt" -> value != null && compares(value, sign -> sign > 0);
      case "Lt" -> value != null && compares(value, sign -> sign < 0);
      // The API server accepts no other operator; an unknown one never matches.
      default -> false;
    };
  }

  private boolean compares(String value, IntPredicate wanted) {
    Optional<BigInteger> left = whole(value);
    Optional<BigInteger> right = values.size() == 1 ? whole(values.getFirst()) : Optional.empty();
    return left.isPresent() && right.isPresent() && wanted.test(left.get().compareTo(right.get()));
  }

  private static Optional<BigInteger> whole(String text) {
    return WHOLE.matcher(text).matches() ? Optional.of(new BigInteger(text)) : Optional.empty();
  }
}
