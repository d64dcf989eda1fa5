package dev.sluice.model.cron;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * When something that repeats is due. The grammar is the one of CronJobs: five fields, or a word
 * such as {@code @daily} or {@code @every 90s}.
 */
public sealed interface Schedule permits CalendarSchedule, Schedule.Interval {

  /**
   * Reads a schedule.
   *
   * @param zone whose clock it is about, unless the text begins with {@code TZ=}
   * @throws InvalidScheduleException if the text is none
   */
  static Schedule parse(String text, ZoneId zone) {
    return ScheduleParser.parse(text, zone);
  }

  /**
   * The first whole second after {@code moment} at which it is due; empty if there is none within
   * the next five years, as on the 31st of February.
   */
  Optional<Instant> next(Instant moment);

  /** Due at a fixed distance from the last time, whatever the calendar says. */
  record Interval(Duration length) implements Schedule {

    @Override
    public Optional<Instant> next(Instant moment) {
      return Optional.of(moment.plus(length).truncatedTo(ChronoUnit.SECONDS));
    }
  }
}
