package dev.sluice.controllers.nodes.template;

import dev.sluice.model.tree.Value;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Locale;

/** Exact numbers for templates. */
final class Numbers {
  private static final int MAX_DIGITS = 64;
  private static final int MAX_PLACES = 256;

  private Numbers() {}

  /**
   * The value of a number literal in a template, in any of Go's forms.
   *
   * @throws NumberFormatException if it is not a number
   * @throws ArithmeticException if it is beyond 64 bits
   */
  static Value literal(String written) {
    String plain = written.replace("_", "").toLowerCase(Locale.ROOT);
    boolean signed = plain.startsWith("-") || plain.startsWith("+");
    String sign = plain.startsWith("-") ? "-" : "";
    String digits = signed ? plain.substring(1) : plain;
    boolean hex = digits.startsWith("0x");
    if (hex && digits.contains("p")) {
      return new Value.Decimal(new BigDecimal(Double.parseDouble(sign + digits)));
    }
    if (!hex && !digits.startsWith("0b") && (digits.contains(".") || digits.contains("e"))) {
      return new Value.Decimal(new BigDecimal(sign + digits));
    }
    int prefix = digits.matches("0[xbo].*") ? 2 : 0;
    int radix = hex ? 16 : digits.startsWith("0b") ? 2 : digits.matches("0o?.+") ? 8 : 10;
    return new Value.Whole(new BigInteger(sign + digits.substring(prefix), radix).longValueExact());
  }

  /** The number that a value is or, as a string, contains. */
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

  /** As in sprig, a string that is not a number counts as zero. */
  private static BigDecimal decimal(String text) {
    try {
      if (text.length() <= MAX_DIGITS && !text.toLowerCase(Locale.ROOT).contains("e")) {
        return new BigDecimal(text.strip());
      }
    } catch (NumberFormatException malformed) {
      return BigDecimal.ZERO;
    }
    return BigDecimal.ZERO;
  }

  /** A number with absurdly many digits could use up all memory. */
  private static BigDecimal bounded(BigDecimal number) {
    if (!isPlain(number)) {
      throw new TemplateException("a number has more than %d places".formatted(MAX_PLACES));
    }
    return number;
  }

  /** Whether all digits of a number can be written. */
  static boolean isPlain(BigDecimal number) {
    return number.precision() <= MAX_PLACES && Math.abs((long) number.scale()) <= MAX_PLACES;
  }

  /** The number without its fraction. */
  static BigInteger whole(Value value) {
    return decimal(value).setScale(0, RoundingMode.DOWN).toBigInteger();
  }

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
