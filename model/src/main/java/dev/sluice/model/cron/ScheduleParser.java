package dev.sluice.model.cron;

import dev.sluice.model.GoDuration;
import dev.sluice.model.cron.CalendarSchedule.Field;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The parser of schedules. Its errors are worded as those of Kubernetes' parser. */
final class ScheduleParser {
  private static final String EVERY = "@every ";
  private static final int FIELDS = 5;
  private static final Pattern NUMBER_AND_UNIT =
      Pattern.compile("(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)([^0-9.]*)");
  private static final List<String> UNITS = List.of("ns", "us", "µs", "μs", "ms", "s", "m", "h");

  /** The values of a field: numbers, and names for them from {@code min} on. */
  private record Range(int min, int max, List<String> names) {}

  private static final Range MINUTES = new Range(0, 59, List.of());
  private static final Range HOURS = new Range(0, 23, List.of());
  private static final Range DAYS_OF_MONTH = new Range(1, 31, List.of());
  private static final Range MONTHS =
      new Range(1, 12, names("jan feb mar apr may jun jul aug sep oct nov dec"));
  private static final Range DAYS_OF_WEEK = new Range(0, 6, names("sun mon tue wed thu fri sat"));

  private ScheduleParser() {}

  private static List<String> names(String words) {
    return List.of(words.split(" ", -1));
  }

  static Schedule parse(String text, ZoneId zone) {
    boolean zoned = text.startsWith("TZ=") || text.startsWith("CRON_TZ=");
    int end = text.indexOf(' ');
    if (!zoned) {
      return parseUnzoned(text, zone);
    }
    String name = text.substring(text.indexOf('=') + 1, end < 0 ? text.length() : end);
    ZoneId named =
        (name.isEmpty() ? Optional.of(ZoneOffset.UTC) : TimeZones.find(name))
            .orElseThrow(
                () -> bad("provided bad location %s: unknown time zone %s".formatted(name, name)));
    return parseUnzoned(end < 0 ? "" : text.substring(end).strip(), named);
  }

  private static Schedule parseUnzoned(String text, ZoneId zone) {
    if (text.isEmpty()) {
      throw bad("empty spec string");
    }
    if (text.startsWith(EVERY)) {
      return new Schedule.Interval(interval(text));
    }
    List<String> fields =
        Stream.of(standing(text).split("\\s+")).filter(f -> !f.isEmpty()).toList();
    if (fields.size() != FIELDS) {
      throw bad(
          "expected exactly 5 fields, found %d: [%s]"
              .formatted(fields.size(), String.join(" ", fields)));
    }
    return new CalendarSchedule(
        field(fields.get(0), MINUTES),
        field(fields.get(1), HOURS),
        field(fields.get(2), DAYS_OF_MONTH),
        field(fields.get(3), MONTHS),
        field(fields.get(4), DAYS_OF_WEEK),
        zone);
  }

  /** The fields that a word such as {@code @daily} stands for. */
  private static String standing(String text) {
    return switch (text) {
      case "@yearly", "@annually" -> "0 0 1 1 *";
      case "@monthly" -> "0 0 1 * *";
      case "@weekly" -> "0 0 * * 0";
      case "@daily", "@midnight" -> "0 0 * * *";
      case "@hourly" -> "0 * * * *";
      default -> {
        if (text.startsWith("@")) {
          throw bad("unrecognized descriptor: %s".formatted(text));
        }
        yield text;
      }
    };
  }

  /** An interval in whole seconds, at least one, even if the string is negative. */
  private static Duration interval(String text) {
    String written = text.substring(EVERY.length());
    boolean negative = written.startsWith("-");
    Optional<Duration> length = GoDuration.parse(negative ? written.substring(1) : written);
    if (length.isEmpty()) {
      throw bad("failed to parse duration %s: time: %s".formatted(text, problem(written)));
    }
    long seconds = negative ? 1 : Math.max(1, length.get().toSeconds());
    return Duration.ofSeconds(seconds);
  }

  /** The first error in a duration, in Go's words. */
  private static String problem(String duration) {
    Matcher part = NUMBER_AND_UNIT.matcher(duration);
    int at = duration.startsWith("-") || duration.startsWith("+") ? 1 : 0;
    while (part.find(at) && part.start() == at) {
      String unit = part.group(1);
      if (unit.isEmpty()) {
        return "missing unit in duration \"%s\"".formatted(duration);
      }
      if (!UNITS.contains(unit)) {
        return "unknown unit \"%s\" in duration \"%s\"".formatted(unit, duration);
      }
      at = part.end();
    }
    return "invalid duration \"%s\"".formatted(duration);
  }

  /** Parses a field; one that consists of commas only is valid and has no value. */
  private static Field field(String text, Range range) {
    return Stream.of(text.split(",", -1))
        .filter(part -> !part.isEmpty())
        .map(part -> part(part, range))
        .reduce(new Field(0, false), Field::and);
  }

  private static Field part(String text, Range range) {
    String[] stepped = text.split("/", -1);
    String[] bounds = stepped[0].split("-", -1);
    boolean any = bounds[0].equals("*") || bounds[0].equals("?");
    if (!any && bounds.length > 2) {
      throw bad("too many hyphens: %s".formatted(text));
    }
    if (stepped.length > 2) {
      throw bad("too many slashes: %s".formatted(text));
    }
    long first = any ? range.min() : value(bounds[0], range);
    long last = any ? range.max() : bounds.length == 2 ? value(bounds[1], range) : first;
    boolean hasStep = stepped.length == 2;
    long step = hasStep ? number(stepped[1]) : 1;
    // A number with a step continues to the end of the range.
    last = hasStep && bounds.length == 1 ? range.max() : last;
    check(text, range, first, last, step);
    return new Field(bits(first, last, step), any && step == 1);
  }

  private static void check(String text, Range range, long first, long last, long step) {
    if (first < range.min()) {
      throw bad(
          "beginning of range (%d) below minimum (%d): %s".formatted(first, range.min(), text));
    }
    if (last > range.max()) {
      throw bad("end of range (%d) above maximum (%d): %s".formatted(last, range.max(), text));
    }
    if (first > last) {
      throw bad(
          "beginning of range (%d) beyond end of range (%d): %s".formatted(first, last, text));
    }
    if (step == 0) {
      throw bad("step of range should be a positive number: %s".formatted(text));
    }
  }

  private static long bits(long first, long last, long step) {
    long bits = 0;
    for (long value = first; value <= last; value += Math.min(step, Long.SIZE)) {
      bits |= 1L << value;
    }
    return bits;
  }

  private static long value(String text, Range range) {
    int index = range.names().indexOf(text.toLowerCase(Locale.ROOT));
    return index >= 0 ? range.min() + index : number(text);
  }

  private static long number(String text) {
    try {
      long number = Long.parseLong(text);
      if (number < 0) {
        throw bad("negative number (%d) not allowed: %s".formatted(number, text));
      }
      return number;
    } catch (NumberFormatException none) {
      boolean digits = !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
      throw bad(
          "failed to parse int from %s: strconv.Atoi: parsing \"%s\": %s"
              .formatted(text, text, digits ? "value out of range" : "invalid syntax"));
    }
  }

  private static InvalidScheduleException bad(String why) {
    return new InvalidScheduleException(why);
  }
}
