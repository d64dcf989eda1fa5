package dev.sluice.apiserver.http.table;

import dev.sluice.model.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Durations as kubectl shows them: two units while the second one is significant. */
final class Ages {
  private static final String UNKNOWN = "<unknown>";
  private static final int DAY = 24;
  private static final int YEAR = 365 * DAY;

  private Ages() {}

  /** The age of a timestamp in a field. */
  static String since(String timestamp, Instant now) {
    return since(Timestamps.parse(timestamp), now);
  }

  static String since(Optional<Instant> time, Instant now) {
    return time.map(then -> text(Duration.between(then, now))).orElse(UNKNOWN);
  }

  static String text(Duration duration) {
    long seconds = duration.toSeconds();
    if (duration.toMillis() < 0) {
      return duration.toMillis() > -2000 ? "0s" : "<invalid>";
    }
    if (seconds < 2 * 60) {
      return seconds + "s";
    }
    long minutes = duration.toMinutes();
    if (minutes < 10) {
      return two(minutes, "m", seconds % 60, "s");
    }
    return minutes < 3 * 60 ? minutes + "m" : hoursAndMore(duration.toHours(), minutes);
  }

  private static String hoursAndMore(long hours, long minutes) {
    if (hours < 8) {
      return two(hours, "h", minutes % 60, "m");
    }
    if (hours < 2 * DAY) {
      return hours + "h";
    }
    if (hours < 8 * DAY) {
      return two(hours / DAY, "d", hours % DAY, "h");
    }
    if (hours < 2 * YEAR) {
      return hours / DAY + "d";
    }
    return hours < 8 * YEAR ? two(hours / YEAR, "y", hours / DAY % 365, "d") : hours / YEAR + "y";
  }

  private static String two(long large, String largeUnit, long small, String smallUnit) {
    return large + largeUnit + (small == 0 ? "" : small + smallUnit);
  }
}
