package dev.sluice.model;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;

/** Kubernetes writes moments as RFC 3339 in UTC, most of them to the second. */
public final class Timestamps {
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private Timestamps() {}

  public static String format(Instant moment) {
    return moment.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** With six digits, as leases want it. */
  public static String formatMicros(Instant moment) {
    return MICROS.format(moment);
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
