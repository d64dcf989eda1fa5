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
 * Moments as RFC 3339 writes them, with any offset.
 *
 * <p>The real server reads those of built-in kinds into a type of its own and so shows them in one
 * form, whatever they were written in: in UTC, with six digits of a second where the field has
 * them, and to the second elsewhere.
 */
final class Moments {
  private static final Pattern RFC_3339 =
      Pattern.compile(
          "([0-9-]{10}T[0-9:]{8})(?:\\.([0-9]+))?(?:Z|([+-])([0-9]{2}):([0-9]{2}))",
          Pattern.CASE_INSENSITIVE);

  /** All that a clock of this program can tell apart. */
  private static final int MAX_DIGITS = 9;

  /** Without six digits it is no moment of a field that has them. */
  private static final Pattern MICROS = Pattern.compile("\\.[0-9]{6}(Z|[+-])");

  private static final int MAX_HOURS = 24;
  private static final int MAX_MINUTES = 60;

  private Moments() {}

  /** How the moments of a field are written. */
  enum Form {
    /** As anybody likes. */
    ANY,
    SECONDS,
    MICROS
  }

  /** The moment in a text, if it is one. */
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

  /** The normal form of a moment; what is none stays as it is, and is refused later. */
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
        : read(text).map(moment -> new Value.Text(formatted(moment, form))).orElse(written);
  }

  private static String formatted(Instant moment, Form form) {
    return form == Form.MICROS ? Timestamps.formatMicros(moment) : Timestamps.format(moment);
  }
}
