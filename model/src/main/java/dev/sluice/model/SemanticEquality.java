package dev.sluice.model;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Equality of meaning, as Kubernetes' {@code equality.Semantic} has it: a typed client writes an
 * object back without its empty fields and with its quantities in canonical form, and has changed
 * nothing.
 *
 * <p>An absent field equals {@code null} and one that is empty throughout; quantities are compared
 * by value. Field names stand in for types: an empty selector selects everything and an absent one
 * nothing, so the presence of such a field counts.
 */
public final class SemanticEquality {
  private static final List<String> PRESENCE_COUNTS =
      List.of(
          "labelSelector",
          "namespaceSelector",
          "selector",
          "podFailurePolicy",
          "successPolicy",
          "emptyDir");
  private static final List<String> QUANTITIES = List.of("divisor", "sizeLimit");
  private static final List<String> MAPS_OF_QUANTITIES =
      List.of("requests", "limits", "overhead", "capacity", "resourceUsage");

  private SemanticEquality() {}

  /** Whether two values, of which either may be absent, mean the same. */
  public static boolean holds(Value one, Value other) {
    if (one.equals(other)) {
      return true;
    }
    if (one instanceof Items(var items) && other instanceof Items(var others)) {
      return sameItems(items, others);
    }
    if (one instanceof Tree || other instanceof Tree) {
      return isTreeOrAbsent(one)
          && isTreeOrAbsent(other)
          && sameFields(one.asTree(), other.asTree());
    }
    return isEmptyList(one) && isEmptyList(other);
  }

  private static boolean sameItems(List<Value> items, List<Value> others) {
    if (items.size() != others.size()) {
      return false;
    }
    for (int i = 0; i < items.size(); i++) {
      if (!holds(items.get(i), others.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isTreeOrAbsent(Value value) {
    return value instanceof Tree || value == Value.Null.NULL;
  }

  private static boolean isEmptyList(Value value) {
    return value == Value.Null.NULL || value.equals(Items.EMPTY);
  }

  private static boolean sameFields(Tree one, Tree other) {
    var names = new TreeSet<>(one.names());
    names.addAll(other.names());
    return names.stream().allMatch(name -> ofField(name, one.at(name), other.at(name)));
  }

  /** Whether two values of the field of that name, of which either may be absent, mean the same. */
  public static boolean ofField(String name, Value one, Value other) {
    if (PRESENCE_COUNTS.contains(name)
        && isTreeOrAbsent(one)
        && one.getClass() != other.getClass()) {
      return false;
    }
    if (MAPS_OF_QUANTITIES.contains(name)
        && one instanceof Tree map
        && other instanceof Tree others) {
      return map.names().equals(others.names())
          && map.names().stream().allMatch(key -> sameQuantity(map.at(key), others.at(key)));
    }
    return QUANTITIES.contains(name) ? sameQuantity(one, other) : holds(one, other);
  }

  private static boolean sameQuantity(Value one, Value other) {
    if (one.equals(other)) {
      return true;
    }
    Optional<Quantity> quantity = quantity(one);
    Optional<Quantity> otherQuantity = quantity(other);
    return quantity.isPresent()
        && otherQuantity.isPresent()
        && quantity.get().compareTo(otherQuantity.get()) == 0;
  }

  private static Optional<Quantity> quantity(Value value) {
    return switch (value) {
      case Value.Text(String text) -> Quantity.parse(text);
      case Value.Whole _, Value.Decimal _ -> Optional.of(Quantity.of(value));
      case Value.Flag _, Value.Null _, Value.Container _ -> Optional.empty();
    };
  }
}
