package dev.sluice.model.cron;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.Optional;

/**
 * A schedule of certain minutes of certain hours of certain days.
 *
 * <p>It follows local time: a time that the clock skips when daylight saving time begins is not due
 * on that day, and a time that it shows twice when daylight saving time ends is due twice.
 *
 * <p>A day must match both the day of the month and the day of the week, if one of them is {@code
 * *}; otherwise one of the two is enough.
 */
record CalendarSchedule(
    Field minutes, Field hours, Field daysOfMonth, Field months, Field daysOfWeek, ZoneId zone)
    implements Schedule {
  private static final int YEARS_AHEAD = 5;

  /**
   * The values of one field.
   *
   * @param bits one bit for each value
   * @param any whether the field was {@code *} or {@code ?} without a step
   */
  record Field(long bits, boolean any) {
    boolean has(int value) {
      return (bits >>> value & 1) != 0;
    }

    Field and(Field other) {
      return new Field(bits | other.bits, any || other.any);
    }
  }

  @Override
  public Optional<Instant> next(Instant after) {
    ZonedDateTime time = after.plusSeconds(1).truncatedTo(ChronoUnit.SECONDS).atZone(zone);
    int lastYear = time.getYear() + YEARS_AHEAD;
    if (time.getSecond() > 0) {
      time = earlier(time, time.truncatedTo(ChronoUnit.MINUTES).plusMinutes(1));
    }
    while (time.getYear() <= lastYear) {
      ZonedDateTime later = notBefore(time);
      if (later.equals(time)) {
        return Optional.of(time.toInstant());
      }
      time = earlier(time, later);
    }
    return Optional.empty();
  }

  /**
   * The same time if it is due, else a later one before which nothing is due, unless the clock
   * changes.
   */
  private ZonedDateTime notBefore(ZonedDateTime time) {
    LocalDate day = time.toLocalDate();
    if (!months.has(time.getMonthValue())) {
      return day.withDayOfMonth(1).plusMonths(1).atStartOfDay(zone);
    }
    if (!isDue(day)) {
      return day.plusDays(1).atStartOfDay(zone);
    }
    if (!hours.has(time.getHour())) {
      return time.plusMinutes(60 - time.getMinute());
    }
    return minutes.has(time.getMinute()) && time.getSecond() == 0 ? time : time.plusMinutes(1);
  }

  private boolean isDue(LocalDate day) {
    boolean inMonth = daysOfMonth.has(day.getDayOfMonth());
    boolean inWeek = daysOfWeek.has(day.getDayOfWeek().getValue() % 7);
    boolean both = daysOfMonth.any() || daysOfWeek.any();
    return both ? inMonth && inWeek : inMonth || inWeek;
  }

  /** Never past a change of the clock, after which the search starts again. */
  private ZonedDateTime earlier(ZonedDateTime time, ZonedDateTime later) {
    Optional<Instant> moved =
        Optional.ofNullable(zone.getRules().nextTransition(time.toInstant()))
            .map(ZoneOffsetTransition::getInstant);
    return moved.filter(later.toInstant()::isAfter).map(at -> at.atZone(zone)).orElse(later);
  }
}
