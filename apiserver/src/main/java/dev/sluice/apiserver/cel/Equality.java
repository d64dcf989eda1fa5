package dev.sluice.apiserver.cel;

import dev.cel.runtime.RuntimeHelpers;
import dev.sluice.apiserver.schema.ListType;
import dev.sluice.model.tree.Value;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The semantics of {@code ==} and {@code +} in Kubernetes: as in CEL, except that the order of a
 * set, or of a list of type map, does not matter, and that adding to such a list adds no
 * duplicates.
 */
final class Equality {
  private Equality() {}

  static boolean equal(Object one, Object other) {
    if (one instanceof Number number && other instanceof Number second) {
      return compare(number, second) == 0;
    }
    if (one instanceof List<?> list && other instanceof List<?> second) {
      return equalLists(list, second);
    }
    if (one instanceof Map<?, ?> map && other instanceof Map<?, ?> second) {
      return equalMaps(map, second);
    }
    return one.equals(other);
  }

  private static int compare(Number one, Number other) {
    if (one instanceof Double || other instanceof Double) {
      return Double.compare(one.doubleValue() + 0.0, other.doubleValue() + 0.0);
    }
    return new BigDecimal(one.toString()).compareTo(new BigDecimal(other.toString()));
  }

  private static boolean equalLists(List<?> one, List<?> other) {
    if (one.size() != other.size()) {
      return false;
    }
    if (isUnordered(one) && isUnordered(other)) {
      return equalUnordered((ListView) one, (ListView) other);
    }
    if (isUnordered(one) || isUnordered(other)) {
      return one.stream().allMatch(element -> contains(other, element))
          && other.stream().allMatch(element -> contains(one, element));
    }
    for (int i = 0; i < one.size(); i++) {
      if (!equal(one.get(i), other.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isUnordered(List<?> list) {
    return list instanceof ListView view && view.type() != ListType.ATOMIC;
  }

  private static boolean equalUnordered(ListView one, ListView other) {
    if (one.items().equals(other.items())) {
      return true;
    }
    Map<Value, Object> first = one.byIdentity();
    Map<Value, Object> second = other.byIdentity();
    return first.keySet().equals(second.keySet()) && equalMaps(first, second);
  }

  private static boolean contains(List<?> list, Object wanted) {
    return list.stream().anyMatch(element -> equal(element, wanted));
  }

  private static boolean equalMaps(Map<?, ?> one, Map<?, ?> other) {
    if (one.size() != other.size()) {
      return false;
    }
    for (Map.Entry<?, ?> entry : one.entrySet()) {
      Object second = other.get(entry.getKey());
      if (second == null || !equal(entry.getValue(), second)) {
        return false;
      }
    }
    return true;
  }

  /** The sum of two lists. */
  @SuppressWarnings("unchecked")
  static List<Object> sum(List<?> one, List<?> other) {
    if (!(one instanceof ListView view) || view.type() == ListType.ATOMIC) {
      return RuntimeHelpers.concat((List<Object>) one, (List<Object>) other);
    }
    if (other instanceof ListView second && second.type() == view.type()) {
      Map<Value, Object> merged = new LinkedHashMap<>(view.byIdentity());
      merged.putAll(second.byIdentity());
      return new ArrayList<>(merged.values());
    }
    var sum = new ArrayList<Object>(view);
    other.stream().filter(element -> !contains(view, element)).forEach(sum::add);
    return sum;
  }
}
