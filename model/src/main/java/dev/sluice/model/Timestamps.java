package dev.sluice.model;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Kubernetes writes moments as RFC 3339 in UTC, most of them to the second. */
public final class Timestamps {
  private Timestamps() {}

  public static String format(Instant moment) {
    return moment.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** With six digits, as leases want it. */
  public static String formatMicros(Instant moment) {
    String seconds = moment.truncatedTo(ChronoUnit.SECONDS).toString();
    return seconds.substring(0, seconds.length() - 1)
        + ".%06dZ".formatted(moment.getNano() / 1_000);
  }

  /** The moment a text names, if it names one. */
  public static Optional<Instant> parse(String text) {
    try {
      return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
    } catch (DateTimeParseException notAMoment) {
      return Optional.empty();
    }
  }
}
