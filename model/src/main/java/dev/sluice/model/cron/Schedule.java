package dev.sluice.model.cron;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The schedule of a CronJob: five fields, or a word such as {@code @daily} or {@code @every 90s}.
 */
public sealed interface Schedule permits CalendarSchedule, Schedule.Interval {

  /**
   * Parses a schedule.
   *
   * @param zone the time zone, unless the string begins with {@code TZ=}
   * @throws InvalidScheduleException if it is invalid
   */
  static Schedule parse(String text, ZoneId zone) {
    return ScheduleParser.parse(text, zone);
  }

  /**
   * The first whole second after {@code after} at which it is due; empty if there is none within
   * the next five years, as on the 31st of February.
   */
  Optional<Instant> next(Instant after);

  /** A schedule with a fixed interval, independent of the calendar. */
  record Interval(Duration length) implements Schedule {

    @Override
    public Optional<Instant> next(Instant after) {
      return Optional.of(after.plus(length).truncatedTo(ChronoUnit.SECONDS));
    }
  }
}
