package dev.sluice.model.tree;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.Map;

/** One node of an immutable JSON tree. Two values are equal if their contents are. */
public sealed interface Value {

  /** A string. */
  record Text(String value) implements Value {
    @Override
    public String toString() {
      return Json.write(this);
    }
  }

  /** A whole number that fits 64 bits, as nearly every number of the Kubernetes API does. */
  record Whole(long value) implements Value {
    @Override
    public String toString() {
      return Json.write(this);
    }
  }

  /** Any other number, kept exactly as it was written. */
  record Decimal(BigDecimal value) implements Value {
    @Override
    public String toString() {
      return Json.write(this);
    }
  }

  /** A boolean. */
  enum Flag implements Value {
    TRUE,
    FALSE;

    public static Flag of(boolean value) {
      return value ? TRUE : FALSE;
    }

    @Override
    public String toString() {
      return Json.write(this);
    }
  }

  /** JSON's null; also the result for a missing value. */
  enum Null implements Value {
    NULL;

    @Override
    public String toString() {
      return Json.write(this);
    }
  }

  /** Permits the two containers, which have files of their own. */
  sealed interface Container extends Value permits Tree, Items {}

  /**
   * The value of a Java object: strings, whole numbers, decimals, booleans, collections, maps with
   * string keys, and values themselves.
   */
  static Value of(Object value) {
    return switch (value) {
      case Value already -> already;
      case String text -> new Text(text);
      case Integer number -> new Whole(number);
      case Long number -> new Whole(number);
      case BigDecimal number -> new Decimal(number);
      case Boolean flag -> Flag.of(flag);
      case Collection<?> items -> Items.of(items);
      case Map<?, ?> fields -> Tree.of(fields);
      default ->
          throw new IllegalArgumentException("no JSON value for a " + value.getClass().getName());
    };
  }

  /** The string of a {@link Text}, else an empty string: Kubernetes treats both alike. */
  default String asText() {
    return this instanceof Text(String value) ? value : "";
  }

  /** This value as a tree, the empty one if it has another type. */
  default Tree asTree() {
    return this instanceof Tree tree ? tree : Tree.EMPTY;
  }
}
