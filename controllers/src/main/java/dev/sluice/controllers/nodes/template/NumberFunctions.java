package dev.sluice.controllers.nodes.template;

import dev.sluice.model.tree.Value;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.SortedMap;
import java.util.function.BinaryOperator;

/** sprig's arithmetic, on integers unless the name says otherwise. */
final class NumberFunctions {
  private NumberFunctions() {}

  static SortedMap<String, TemplateFunction> all() {
    return addDecimals(addWhole(new Catalog())).functions();
  }

  private static Catalog addDecimals(Catalog catalog) {
    return catalog
        .add("float64", 1, a -> Numbers.of(Numbers.decimal(a.value(0))))
        .add("addf", 1, Catalog.ANY, a -> reducedExactly(a, BigDecimal::add))
        .add("subf", 1, Catalog.ANY, a -> reducedExactly(a, BigDecimal::subtract))
        .add("mulf", 1, Catalog.ANY, a -> reducedExactly(a, BigDecimal::multiply))
        .add("divf", 1, Catalog.ANY, a -> reducedExactly(a, NumberFunctions::quotient))
        .add("maxf", 1, Catalog.ANY, a -> reducedExactly(a, BigDecimal::max))
        .add("minf", 1, Catalog.ANY, a -> reducedExactly(a, BigDecimal::min))
        .add("floor", 1, a -> rounded(a.value(0), 0, RoundingMode.FLOOR))
        .add("ceil", 1, a -> rounded(a.value(0), 0, RoundingMode.CEILING))
        .add(
            "round",
            1,
            2,
            a -> rounded(a.value(0), a.count() > 1 ? a.size(1) : 0, RoundingMode.HALF_UP));
  }

  private static Catalog addWhole(Catalog catalog) {
    return catalog
        .add("int", 1, a -> Numbers.of(a.whole(0)))
        .add("int64", 1, a -> Numbers.of(a.whole(0)))
        .add("atoi", 1, a -> Numbers.of(a.whole(0)))
        .add("add1", 1, a -> Numbers.of(a.whole(0).add(BigInteger.ONE)))
        .add("add", 1, Catalog.ANY, a -> reduced(a, BigInteger::add))
        .add("sub", 2, a -> reduced(a, BigInteger::subtract))
        .add("mul", 1, Catalog.ANY, a -> reduced(a, BigInteger::multiply))
        .add("div", 2, a -> reduced(a, NumberFunctions::divided))
        .add("mod", 2, a -> reduced(a, NumberFunctions::remainder))
        .add("max", 1, Catalog.ANY, a -> reduced(a, BigInteger::max))
        .add("min", 1, Catalog.ANY, a -> reduced(a, BigInteger::min));
  }

  private static Value reduced(Arguments a, BinaryOperator<BigInteger> operator) {
    BigInteger result = a.whole(0);
    for (int i = 1; i < a.count(); i++) {
      result = operator.apply(result, a.whole(i));
    }
    return Numbers.of(result);
  }

  private static Value reducedExactly(Arguments a, BinaryOperator<BigDecimal> operator) {
    BigDecimal result = Numbers.decimal(a.value(0));
    for (int i = 1; i < a.count(); i++) {
      result = operator.apply(result, Numbers.decimal(a.value(i)));
    }
    return Numbers.of(result);
  }

  private static BigDecimal quotient(BigDecimal one, BigDecimal other) {
    checkDivisor(other.unscaledValue());
    return one.divide(other, MathContext.DECIMAL64);
  }

  private static BigInteger divided(BigInteger one, BigInteger other) {
    checkDivisor(other);
    return one.divide(other);
  }

  private static BigInteger remainder(BigInteger one, BigInteger other) {
    checkDivisor(other);
    return one.remainder(other);
  }

  private static void checkDivisor(BigInteger divisor) {
    if (divisor.signum() == 0) {
      throw new TemplateException("division by zero");
    }
  }

  private static Value rounded(Value value, int places, RoundingMode mode) {
    BigDecimal number = Numbers.decimal(value);
    return Numbers.of(number.scale() <= places ? number : number.setScale(places, mode));
  }
}
