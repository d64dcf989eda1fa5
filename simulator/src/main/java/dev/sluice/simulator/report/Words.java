package dev.sluice.simulator.report;

import java.time.Duration;
import java.util.Locale;

/** Durations, counts and shares as people write them. */
public final class Words {
  private static final Duration LONG = Duration.ofDays(2);

  private Words() {}

  /** Such as {@code 45 s}, {@code 12 min}, {@code 3 h 20 min} or {@code 2 d 4 h}. */
  public static String duration(Duration duration) {
    if (duration.isNegative()) {
      return "-" + duration(duration.negated());
    }
    if (duration.compareTo(LONG) >= 0) {
      return pair(duration.toDays(), "d", duration.toHoursPart(), "h");
    }
    if (duration.toHours() > 0) {
      return pair(duration.toHours(), "h", duration.toMinutesPart(), "min");
    }
    if (duration.toMinutes() > 0) {
      return pair(duration.toMinutes(), "min", duration.toSecondsPart(), "s");
    }
    boolean whole = duration.toMillisPart() == 0 || duration.toSeconds() >= 10;
    return whole
        ? duration.toSeconds() + " s"
        : String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
  }

  private static String pair(long large, String unit, int small, String smallUnit) {
    return small == 0
        ? "%d %s".formatted(large, unit)
        : "%d %s %d %s".formatted(large, unit, small, smallUnit);
  }

  /** Such as {@code 1 job} or {@code 3 jobs}. */
  static String count(long count, String noun) {
    return "%d %s%s".formatted(count, noun, count == 1 ? "" : "s");
  }

  /** Such as {@code 87 %}. */
  static String percent(double share) {
    return String.format(Locale.ROOT, "%.0f %%", share * 100);
  }
}
