package dev.sluice.apiserver.schema;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.math.BigDecimal;
import java.util.Optional;

/** The types of values in a schema. */
public enum Type {
  OBJECT("object"),
  ARRAY("array"),
  STRING("string"),
  INTEGER("integer"),
  NUMBER("number"),
  BOOLEAN("boolean"),
  INT_OR_STRING("int-or-string"),
  ANY("");

  private final String word;

  Type(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }

  /** The type with a name. */
  static Optional<Type> named(String word) {
    for (Type type : values()) {
      if (type.word.equals(word) && type != ANY && type != INT_OR_STRING) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }

  boolean accepts(Value value) {
    return switch (this) {
      case OBJECT -> value instanceof Tree;
      case ARRAY -> value instanceof Items;
      case STRING -> value instanceof Value.Text;
      case INTEGER -> isWhole(value);
      case NUMBER -> value instanceof Value.Whole || value instanceof Value.Decimal;
      case BOOLEAN -> value instanceof Value.Flag;
      case INT_OR_STRING -> value instanceof Value.Text || isWhole(value);
      case ANY -> true;
    };
  }

  boolean isScalar() {
    return this != OBJECT && this != ARRAY && this != ANY;
  }

  private static boolean isWhole(Value value) {
    return value instanceof Value.Whole
        || (value instanceof Value.Decimal(BigDecimal number)
            && (number.signum() == 0 || number.stripTrailingZeros().scale() <= 0));
  }

  /** The name of a value's type in messages. */
  static String wordFor(Value value) {
    return switch (value) {
      case Tree ignored -> "object";
      case Items ignored -> "array";
      case Value.Text ignored -> "string";
      case Value.Whole ignored -> "integer";
      case Value.Decimal ignored -> "number";
      case Value.Flag ignored -> "boolean";
      case Value.Null ignored -> "null";
    };
  }
}
