package dev.sluice.model;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Go writes them: {@code 90s}, {@code 1m30s}, {@code 500ms}, {@code 1.5h}. */
public final class GoDuration {
  private static final Pattern PART =
      Pattern.compile("(\\d+(?:\\.\\d*)?|\\.\\d+)(ns|us|µs|μs|ms|s|m|h)");
  private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);
  private static final int MAX_LENGTH = 64;
  private static final long MICRO = 1_000;
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000_000_000;

  private GoDuration() {}

  /** The duration in a string, if it is valid and not negative. */
  public static Optional<Duration> parse(String text) {
    String unsigned = text.startsWith("+") ? text.substring(1) : text;
    if (unsigned.equals("0")) {
      return Optional.of(Duration.ZERO);
    }
    if (unsigned.isEmpty() || unsigned.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    BigDecimal nanos = BigDecimal.ZERO;
    Matcher part = PART.matcher(unsigned);
    int end = 0;
    while (part.find() && part.start() == end) {
      nanos = nanos.add(new BigDecimal(part.group(1)).multiply(nanosIn(part.group(2))));
      end = part.end();
    }
    return end == unsigned.length() && nanos.compareTo(MAX) <= 0
        ? Optional.of(Duration.ofNanos(nanos.longValue()))
        : Optional.empty();
  }

  private static BigDecimal nanosIn(String unit) {
    long nanos =
        switch (unit) {
          case "ns" -> 1;
          case "ms" -> 1_000_000;
          case "s" -> 1_000_000_000;
          case "m" -> 60_000_000_000L;
          case "h" -> 3_600_000_000_000L;
          // The three spellings of a microsecond.
          default -> 1_000;
        };
    return BigDecimal.valueOf(nanos);
  }

  /** The string that Go writes for a duration. */
  public static String format(Duration duration) {
    return format(duration.toNanos());
  }

  /** The string that Go writes for a number of nanoseconds. */
  public static String format(long nanos) {
    if (nanos == 0) {
      return "0s";
    }
    String sign = nanos < 0 ? "-" : "";
    // The minimum of long has no positive counterpart, but as an unsigned number its absolute value
    // is right.
    long size = Math.abs(nanos);
    if (Long.compareUnsigned(size, MICRO) < 0) {
      return sign + size + "ns";
    }
    if (Long.compareUnsigned(size, MILLI) < 0) {
      return sign + decimal(size, 3) + "µs";
    }
    if (Long.compareUnsigned(size, SECOND) < 0) {
      return sign + decimal(size, 6) + "ms";
    }
    long minutes = Long.divideUnsigned(size, 60 * SECOND);
    String seconds = decimal(Long.remainderUnsigned(size, 60 * SECOND), 9) + "s";
    String hours = minutes >= 60 ? minutes / 60 + "h" : "";
    return sign + hours + (minutes > 0 ? minutes % 60 + "m" : "") + seconds;
  }

  private static String decimal(long number, int scale) {
    BigDecimal value = BigDecimal.valueOf(number, scale);
    return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
  }
}
