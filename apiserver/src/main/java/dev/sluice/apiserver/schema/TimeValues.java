package dev.sluice.apiserver.schema;

import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Value;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Timestamps in RFC 3339, with any offset.
 *
 * <p>The real server parses those of built-in kinds into a type of its own, so it returns them in
 * one form however they were written: in UTC, with microseconds in fields of type MicroTime, and
 * with seconds elsewhere.
 */
final class TimeValues {
  private static final Pattern RFC_3339 =
      Pattern.compile(
          "([0-9-]{10}T[0-9:]{8})(?:\\.([0-9]+))?(?:Z|([+-])([0-9]{2}):([0-9]{2}))",
          Pattern.CASE_INSENSITIVE);

  /** The maximum resolution of times in this program. */
  private static final int MAX_DIGITS = 9;

  /** A MicroTime must have six digits after the second. */
  private static final Pattern MICROS = Pattern.compile("\\.[0-9]{6}(Z|[+-])");

  private static final int MAX_HOURS = 24;
  private static final int MAX_MINUTES = 60;

  private TimeValues() {}

  /** The form of the timestamps of a field. */
  enum Form {
    /** As it was written. */
    ANY,
    SECONDS,
    MICROS
  }

  /** The time in a string, if it is a timestamp. */
  static Optional<Instant> read(String text) {
    Matcher parts = RFC_3339.matcher(text);
    return parts.matches() ? read(parts) : Optional.empty();
  }

  private static Optional<Instant> read(Matcher parts) {
    boolean shifted = parts.group(3) != null;
    int hours = shifted ? Integer.parseInt(parts.group(4)) : 0;
    int minutes = shifted ? Integer.parseInt(parts.group(5)) : 0;
    if (hours > MAX_HOURS || minutes > MAX_MINUTES) {
      return Optional.empty();
    }
    long offset = (hours * 60L + minutes) * 60;
    try {
      Instant there =
          LocalDateTime.parse(parts.group(1).toUpperCase(Locale.ROOT)).toInstant(ZoneOffset.UTC);
      Instant here = there.plusSeconds("-".equals(parts.group(3)) ? offset : -offset);
      return Optional.of(here.plusNanos(nanos(parts.group(2))));
    } catch (DateTimeException noSuchDay) {
      return Optional.empty();
    }
  }

  private static int nanos(@Nullable String digits) {
    return digits == null
        ? 0
        : Integer.parseInt((digits + "0".repeat(MAX_DIGITS)).substring(0, MAX_DIGITS));
  }

  /** The normal form of a timestamp; an invalid one stays as it is, and is rejected later. */
  static Value.Text normal(Value.Text written, Form form) {
    String text = written.value();
    boolean stays =
        switch (form) {
          case ANY -> true;
          case SECONDS -> Timestamps.isPlain(text);
          case MICROS -> text.endsWith("Z") || !MICROS.matcher(text).find();
        };
    return stays
        ? written
        : read(text).map(instant -> new Value.Text(formatted(instant, form))).orElse(written);
  }

  private static String formatted(Instant instant, Form form) {
    return form == Form.MICROS ? Timestamps.formatMicros(instant) : Timestamps.format(instant);
  }
}
