package dev.sluice.apiserver.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelFunctionOverload;
import dev.sluice.model.Quantity;
import java.math.BigDecimal;

/** {@code quantity("1500m")} and the functions of quantities. */
final class QuantityFunctions {
  private static final CelType QUANTITY = OpaqueType.create("kubernetes.Quantity");
  private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);

  private QuantityFunctions() {}

  static void addTo(Library library) {
    library.global("quantity", QUANTITY, SimpleType.STRING, String.class, QuantityFunctions::parse);
    library.global(
        "isQuantity",
        SimpleType.BOOL,
        SimpleType.STRING,
        String.class,
        text -> Quantity.parse(text).isPresent());
    of(library, "sign", SimpleType.INT, quantity -> (long) quantity.value().signum());
    of(library, "isInteger", SimpleType.BOOL, QuantityFunctions::isInteger);
    of(library, "asInteger", SimpleType.INT, QuantityFunctions::asInteger);
    of(
        library,
        "asApproximateFloat",
        SimpleType.DOUBLE,
        quantity -> quantity.value().doubleValue());
    of(library, "compareTo", SimpleType.INT, (one, other) -> (long) one.compareTo(other));
    of(library, "isGreaterThan", SimpleType.BOOL, (one, other) -> one.compareTo(other) > 0);
    of(library, "isLessThan", SimpleType.BOOL, (one, other) -> one.compareTo(other) < 0);
    of(library, "add", QUANTITY, QuantityFunctions::plus);
    of(library, "sub", QUANTITY, (one, other) -> plus(one, negated(other)));
    library.member(
        "add",
        QUANTITY,
        QUANTITY,
        Quantity.class,
        SimpleType.INT,
        Long.class,
        (one, number) -> plus(one, Quantity.of(number)));
    library.member(
        "sub",
        QUANTITY,
        QUANTITY,
        Quantity.class,
        SimpleType.INT,
        Long.class,
        (one, number) -> plus(one, negated(Quantity.of(number))));
  }

  private static void of(
      Library library, String name, CelType result, CelFunctionOverload.Unary<Quantity> body) {
    library.member(name, result, QUANTITY, Quantity.class, body);
  }

  private static void of(
      Library library,
      String name,
      CelType result,
      CelFunctionOverload.Binary<Quantity, Quantity> body) {
    library.member(name, result, QUANTITY, Quantity.class, QUANTITY, Quantity.class, body);
  }

  private static Quantity parse(String text) {
    return Quantity.parse(text)
        .orElseThrow(() -> new IllegalArgumentException("\"" + text + "\" is no quantity"));
  }

  private static boolean isInteger(Quantity quantity) {
    return quantity.value().stripTrailingZeros().scale() <= 0
        && quantity.value().abs().compareTo(MAX) <= 0;
  }

  private static long asInteger(Quantity quantity) {
    if (!isInteger(quantity)) {
      throw new IllegalArgumentException(quantity + " is no integer");
    }
    return quantity.value().longValueExact();
  }

  private static Quantity plus(Quantity one, Quantity other) {
    return new Quantity(one.value().add(other.value()), one.binary());
  }

  private static Quantity negated(Quantity quantity) {
    return new Quantity(quantity.value().negate(), quantity.binary());
  }
}
