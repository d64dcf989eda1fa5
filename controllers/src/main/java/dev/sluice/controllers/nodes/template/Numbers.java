package dev.sluice.controllers.nodes.template;

import dev.sluice.model.tree.Value;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/** Exact numbers for templates. */
final class Numbers {
  private static final int MAX_DIGITS = 64;
  private static final int MAX_PLACES = 256;

  private Numbers() {}

  /** The number that a value is or, as text, names. */
  static BigDecimal decimal(Value value) {
    return switch (value) {
      case Value.Whole(long number) -> BigDecimal.valueOf(number);
      case Value.Decimal(BigDecimal number) -> bounded(number);
      case Value.Text(String text) -> decimal(text);
      case Value.Flag flag -> flag == Value.Flag.TRUE ? BigDecimal.ONE : BigDecimal.ZERO;
      case Value.Null _ -> BigDecimal.ZERO;
      case Value.Container other -> throw new TemplateException(other + " is no number");
    };
  }

  private static BigDecimal decimal(String text) {
    try {
      if (text.length() <= MAX_DIGITS && !text.toLowerCase(java.util.Locale.ROOT).contains("e")) {
        return new BigDecimal(text.strip());
      }
    } catch (NumberFormatException malformed) {
      // The message below says it.
    }
    throw new TemplateException(GoText.quote(text) + " is no number");
  }

  /** A number with so many places that nobody means it could cost all memory there is. */
  private static BigDecimal bounded(BigDecimal number) {
    if (!isPlain(number)) {
      throw new TemplateException("a number has more than %d places".formatted(MAX_PLACES));
    }
    return number;
  }

  /** Whether all places of a number can be written. */
  static boolean isPlain(BigDecimal number) {
    return number.precision() <= MAX_PLACES && Math.abs((long) number.scale()) <= MAX_PLACES;
  }

  /** The same without what stands behind the point. */
  static BigInteger whole(Value value) {
    return decimal(value).setScale(0, RoundingMode.DOWN).toBigInteger();
  }

  /** The value for a number. */
  static Value of(BigDecimal number) {
    bounded(number);
    boolean whole = number.signum() == 0 || number.stripTrailingZeros().scale() <= 0;
    return whole && number.toBigInteger().bitLength() < Long.SIZE
        ? new Value.Whole(number.longValue())
        : new Value.Decimal(number);
  }

  static Value of(BigInteger number) {
    return of(new BigDecimal(number));
  }

  static boolean is(Value value) {
    return value instanceof Value.Whole || value instanceof Value.Decimal;
  }
}
