package dev.sluice.model;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;

/**
 * The timestamps of Kubernetes: RFC 3339 in UTC, most of them in seconds. Every object has some, so
 * those in seconds are formatted and parsed by hand; the formatters of the library cost much more.
 */
public final class Timestamps {
  private static final int PLAIN_LENGTH = "2024-01-02T03:04:05Z".length();
  private static final int SAFE_DAY = 28;

  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  /** A second and its string. Many timestamps are written within the same second. */
  private record Written(long second, String text) {}

  private static volatile Written last = new Written(0, Instant.EPOCH.toString());

  private Timestamps() {}

  public static String format(Instant instant) {
    Written known = last;
    if (known.second() == instant.getEpochSecond()) {
      return known.text();
    }
    String text = instant.truncatedTo(ChronoUnit.SECONDS).toString();
    last = new Written(instant.getEpochSecond(), text);
    return text;
  }

  /** Formats with six digits after the second, as in leases. */
  public static String formatMicros(Instant instant) {
    return MICROS.format(instant);
  }

  /** The time in a string, if it is a timestamp. */
  public static Optional<Instant> parse(String text) {
    if (isPlain(text)) {
      long day =
          LocalDate.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10)).toEpochDay();
      int time = number(text, 11, 13) * 3600 + number(text, 14, 16) * 60 + number(text, 17, 19);
      return Optional.of(Instant.ofEpochSecond(day * 86_400 + time));
    }
    try {
      return text.length() < PLAIN_LENGTH ? Optional.empty() : Optional.of(Instant.parse(text));
    } catch (DateTimeParseException notAMoment) {
      return Optional.empty();
    }
  }

  /** Whether a string is a timestamp in seconds, on a day that every month has, as most are. */
  public static boolean isPlain(String text) {
    return text.length() == PLAIN_LENGTH
        && number(text, 0, 4) >= 0
        && text.charAt(4) == '-'
        && isBetween(1, number(text, 5, 7), 12)
        && text.charAt(7) == '-'
        && isBetween(1, number(text, 8, 10), SAFE_DAY)
        && text.charAt(10) == 'T'
        && isBetween(0, number(text, 11, 13), 23)
        && text.charAt(13) == ':'
        && isBetween(0, number(text, 14, 16), 59)
        && text.charAt(16) == ':'
        && isBetween(0, number(text, 17, 19), 59)
        && text.charAt(19) == 'Z';
  }

  private static boolean isBetween(int least, int number, int most) {
    return least <= number && number <= most;
  }

  /** The number in a part of a string, or -1 if it contains another character than a digit. */
  private static int number(String text, int start, int end) {
    int number = 0;
    for (int i = start; i < end; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = 10 * number + digit;
    }
    return number;
  }
}
