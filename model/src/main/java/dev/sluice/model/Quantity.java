package dev.sluice.model;

import dev.sluice.model.tree.Value;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An exact Kubernetes quantity such as {@code 1500m}, {@code 2Gi} or {@code 1e3}. Values above
 * 10<sup>36</sup> count as that.
 *
 * @param binary whether it is written with suffixes of powers of 1024
 */
public record Quantity(BigDecimal value, boolean binary) implements Comparable<Quantity> {
  public static final Quantity ZERO = new Quantity(BigDecimal.ZERO, false);

  private static final Pattern GRAMMAR =
      Pattern.compile(
          "([+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+))(?:([eE][+-]?\\d{1,3})|([numkMGTPE]|[KMGTPE]i))?");
  private static final List<String> BINARY = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei");
  private static final String DECIMAL = "num kMGTPE";
  private static final int DECIMAL_ONE = DECIMAL.indexOf(' ');
  private static final BigDecimal KIBI = BigDecimal.valueOf(1024);
  private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);
  private static final int MAX_LENGTH = 64;

  /** A number of digits so small that no suffix can overflow the amount. */
  private static final int FEW_DIGITS = 6;

  /** More than can be counted, and still short enough to be written and read back. */
  private static final int MAX_MAGNITUDE = 36;

  public Quantity {
    value = bounded(value);
  }

  /** Limits exponents, which would turn a few characters into gigabytes of digits. */
  private static BigDecimal bounded(BigDecimal number) {
    long magnitude = (long) number.precision() - number.scale();
    if (Math.abs(magnitude) <= MAX_MAGNITUDE) {
      return number;
    }
    int exponent = magnitude > 0 ? MAX_MAGNITUDE : -MAX_MAGNITUDE;
    return BigDecimal.valueOf(number.signum()).scaleByPowerOfTen(exponent);
  }

  /** The quantity in a string, if it is valid. */
  public static Optional<Quantity> parse(String text) {
    Matcher matcher = GRAMMAR.matcher(text);
    if (text.length() > MAX_LENGTH || !matcher.matches()) {
      return Optional.empty();
    }
    String suffix = matcher.group(3) == null ? "" : matcher.group(3);
    String exponent = matcher.group(2) == null ? "" : matcher.group(2);
    var number = new BigDecimal(matcher.group(1) + exponent);
    if (suffix.endsWith("i")) {
      return Optional.of(new Quantity(number.multiply(KIBI.pow(BINARY.indexOf(suffix))), true));
    }
    int thousands = suffix.isEmpty() ? 0 : DECIMAL.indexOf(suffix) - DECIMAL_ONE;
    return Optional.of(new Quantity(number.scaleByPowerOfTen(3 * thousands), false));
  }

  /**
   * Whether a string is certainly a quantity in canonical form, without parsing it: nearly all are,
   * and parsing and formatting costs much more. False means unknown.
   */
  public static boolean isPlainlyCanonical(String text) {
    int digits = 0;
    int number = 0;
    while (digits < text.length() && digits <= FEW_DIGITS && isDigit(text.charAt(digits))) {
      number = number * 10 + text.charAt(digits) - '0';
      digits++;
    }
    if (digits == 0 || digits > FEW_DIGITS || text.charAt(0) == '0') {
      return false;
    }
    return switch (text.substring(digits)) {
      case "", "m", "k", "M", "G", "T" -> number % 1000 != 0;
      case "Ki", "Mi", "Gi", "Ti" -> number % 1024 != 0;
      default -> false;
    };
  }

  private static boolean isDigit(char character) {
    return character >= '0' && character <= '9';
  }

  /** The quantity of a field: a string or a number; zero if the field has neither. */
  public static Quantity of(Value value) {
    return switch (value) {
      case Value.Text(String text) -> parse(text).orElse(ZERO);
      case Value.Whole(long number) -> of(number);
      case Value.Decimal(BigDecimal number) -> new Quantity(number, false);
      case Value.Flag _, Value.Null _, Value.Container _ -> ZERO;
    };
  }

  public static Quantity of(long units) {
    return new Quantity(BigDecimal.valueOf(units), false);
  }

  /** The quantity of a number of thousandths. */
  public static Quantity ofMillis(long millis) {
    return new Quantity(BigDecimal.valueOf(millis, 3), false);
  }

  /** Whole units, rounded up; {@link Long#MAX_VALUE} for whatever is larger than that. */
  public long units() {
    return ceiling(value);
  }

  /** Thousandths, rounded up; {@link Long#MAX_VALUE} for whatever is larger than that. */
  public long millis() {
    return ceiling(value.scaleByPowerOfTen(3));
  }

  private static long ceiling(BigDecimal number) {
    BigInteger whole = number.setScale(0, RoundingMode.CEILING).toBigInteger();
    return whole.compareTo(MAX) > 0 ? Long.MAX_VALUE : whole.max(MAX.negate()).longValue();
  }

  public Quantity plus(Quantity other) {
    return new Quantity(value.add(other.value), binary || other.binary);
  }

  public Quantity times(BigDecimal factor) {
    return new Quantity(value.multiply(factor), binary);
  }

  public boolean isNegative() {
    return value.signum() < 0;
  }

  @Override
  public int compareTo(Quantity other) {
    return value.compareTo(other.value);
  }

  /** The canonical form: the largest suffix that leaves a whole number. */
  @Override
  public String toString() {
    if (value.signum() == 0) {
      return "0";
    }
    return binary && value.abs().compareTo(KIBI) >= 0 && isWhole(value)
        ? binaryText()
        : decimalText();
  }

  private String binaryText() {
    BigDecimal number = value;
    int suffix = 0;
    while (suffix < BINARY.size() - 1 && isWhole(number.divide(KIBI))) {
      number = number.divide(KIBI);
      suffix++;
    }
    return number.toBigInteger() + BINARY.get(suffix);
  }

  private String decimalText() {
    // The finest unit is a billionth: finer parts are rounded up, as in Kubernetes.
    BigDecimal number = value.setScale(9, RoundingMode.UP).scaleByPowerOfTen(9);
    int suffix = 0;
    while (suffix < DECIMAL.length() - 1 && isWhole(number.scaleByPowerOfTen(-3))) {
      number = number.scaleByPowerOfTen(-3);
      suffix++;
    }
    return number.toBigInteger()
        + (suffix == DECIMAL_ONE ? "" : DECIMAL.substring(suffix, suffix + 1));
  }

  private static boolean isWhole(BigDecimal number) {
    return number.stripTrailingZeros().scale() <= 0;
  }
}
