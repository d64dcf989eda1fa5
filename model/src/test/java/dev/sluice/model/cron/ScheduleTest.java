package dev.sluice.model.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class ScheduleTest {

  /** The first times after a moment, in the zone's own clock. */
  record Case(String name, String schedule, String zone, String after, List<String> want) {
    @Override
    public String toString() {
      return name + ": " + schedule;
    }
  }

  private static Case utc(String name, String schedule, String after, String... want) {
    return new Case(name, schedule, "UTC", after, List.of(want));
  }

  static final List<Case> CASES =
      List.of(
          utc(
              "strictly after",
              "0 * * * *",
              "2026-01-01T05:00:00Z",
              "2026-01-01T06:00Z",
              "2026-01-01T07:00Z"),
          utc("a fraction of a second", "0 * * * *", "2026-01-01T04:59:59.5Z", "2026-01-01T05:00Z"),
          utc(
              "a step",
              "*/20 3 * * *",
              "2026-01-01T00:00:00Z",
              "2026-01-01T03:00Z",
              "2026-01-01T03:20Z",
              "2026-01-01T03:40Z",
              "2026-01-02T03:00Z"),
          utc(
              "a number with a step goes to the end",
              "50/5 0 * * *",
              "2026-01-01T00:00:00Z",
              "2026-01-01T00:50Z",
              "2026-01-01T00:55Z",
              "2026-01-02T00:50Z"),
          utc(
              "lists and ranges",
              "1,3-4 0 1 1 ?",
              "2026-01-01T00:00:00Z",
              "2026-01-01T00:01Z",
              "2026-01-01T00:03Z",
              "2026-01-01T00:04Z",
              "2027-01-01T00:01Z"),
          utc(
              "names in any case",
              "0 0 * FEB-Mar Mon",
              "2026-02-20T00:00:00Z",
              "2026-02-23T00:00Z",
              "2026-03-02T00:00Z"),
          utc(
              "either day if both are given",
              "0 0 13 * 5",
              "2026-01-01T00:00:00Z",
              "2026-01-02T00:00Z",
              "2026-01-09T00:00Z",
              "2026-01-13T00:00Z"),
          utc(
              "both days if one is a star",
              "0 0 13 * *",
              "2026-01-01T00:00:00Z",
              "2026-01-13T00:00Z",
              "2026-02-13T00:00Z"),
          utc(
              "a star with a step is no star",
              "0 0 */2 * 1",
              "2026-01-01T00:00:00Z",
              "2026-01-03T00:00Z",
              "2026-01-05T00:00Z",
              "2026-01-07T00:00Z",
              "2026-01-09T00:00Z",
              "2026-01-11T00:00Z",
              "2026-01-12T00:00Z"),
          utc(
              "a star with step one is one",
              "0 0 */1 * 1",
              "2026-01-01T00:00:00Z",
              "2026-01-05T00:00Z",
              "2026-01-12T00:00Z"),
          utc(
              "a leap day",
              "0 0 29 2 *",
              "2026-01-01T00:00:00Z",
              "2028-02-29T00:00Z",
              "2032-02-29T00:00Z"),
          utc("no leap day within five years", "0 0 29 2 *", "2096-03-01T00:00:00Z"),
          utc("a day that never comes", "59 23 31 2 *", "2026-01-01T00:00:00Z"),
          utc("nothing but commas", ", * * * *", "2026-01-01T00:00:00Z"),
          utc("yearly", "@yearly", "2026-01-01T00:00:00Z", "2027-01-01T00:00Z"),
          utc("weekly", "@weekly", "2026-01-01T00:00:00Z", "2026-01-04T00:00Z"),
          utc("midnight", "@midnight", "2026-01-01T00:00:00Z", "2026-01-02T00:00Z"),
          utc(
              "every so often counts from the last time",
              "@every 1m30s",
              "2026-01-01T00:00:07.9Z",
              "2026-01-01T00:01:37Z",
              "2026-01-01T00:03:07Z"),
          utc(
              "every moment is every second",
              "@every 10ms",
              "2026-01-01T00:00:00Z",
              "2026-01-01T00:00:01Z"),
          new Case(
              "another zone",
              "0 9 * * *",
              "America/New_York",
              "2026-01-01T00:00:00Z",
              List.of("2026-01-01T09:00-05:00[America/New_York]")),
          new Case(
              "a zone in the text",
              "TZ=Asia/Tokyo 0 9 * * *",
              "UTC",
              "2026-01-01T00:00:00Z",
              List.of("2026-01-02T00:00Z")),
          new Case(
              "the hour that summer time skips",
              "30 2 * * *",
              "Europe/Berlin",
              "2026-03-28T12:00:00Z",
              List.of("2026-03-30T02:30+02:00[Europe/Berlin]")),
          new Case(
              "the hour that summer time repeats",
              "30 2 * * *",
              "Europe/Berlin",
              "2026-10-24T12:00:00Z",
              List.of(
                  "2026-10-25T02:30+02:00[Europe/Berlin]",
                  "2026-10-25T02:30+01:00[Europe/Berlin]",
                  "2026-10-26T02:30+01:00[Europe/Berlin]")),
          new Case(
              "hourly over the skipped hour",
              "0 * * * *",
              "America/New_York",
              "2026-03-08T06:30:00Z",
              List.of("2026-03-08T03:00-04:00[America/New_York]")),
          new Case(
              "hourly over the repeated hour",
              "0 * * * *",
              "America/New_York",
              "2026-11-01T04:30:00Z",
              List.of(
                  "2026-11-01T01:00-04:00[America/New_York]",
                  "2026-11-01T01:00-05:00[America/New_York]",
                  "2026-11-01T02:00-05:00[America/New_York]")),
          new Case(
              "a midnight that does not exist",
              "0 0 * * *",
              "Africa/Cairo",
              "2026-04-23T12:00:00Z",
              List.of("2026-04-25T00:00+03:00[Africa/Cairo]")),
          new Case(
              "a day without its midnight",
              "30 1 24 4 *",
              "Africa/Cairo",
              "2026-04-01T12:00:00Z",
              List.of("2026-04-24T01:30+03:00[Africa/Cairo]")));

  @ParameterizedTest
  @FieldSource("CASES")
  void isDue(Case c) {
    ZoneId zone = c.zone().equals("UTC") ? ZoneOffset.UTC : ZoneId.of(c.zone());
    Schedule schedule = Schedule.parse(c.schedule(), zone);
    var times = new ArrayList<String>();
    Optional<Instant> next = schedule.next(Instant.parse(c.after()));
    while (next.isPresent() && times.size() < c.want().size()) {
      times.add(next.get().atZone(zone).toString());
      next = schedule.next(next.get());
    }
    boolean never = c.want().isEmpty();

    assertThat(times).isEqualTo(c.want());
    assertThat(next.isEmpty()).isEqualTo(never);
  }

  record Bad(String schedule, String want) {}

  static final List<Bad> BAD =
      List.of(
          new Bad("", "empty spec string"),
          new Bad("* * * *", "expected exactly 5 fields, found 4: [* * * *]"),
          new Bad("0 * * * * *", "expected exactly 5 fields, found 6: [0 * * * * *]"),
          new Bad("60 * * * *", "end of range (60) above maximum (59): 60"),
          new Bad("* * 0 * *", "beginning of range (0) below minimum (1): 0"),
          new Bad("* * * * 7", "end of range (7) above maximum (6): 7"),
          new Bad("5-2 * * * *", "beginning of range (5) beyond end of range (2): 5-2"),
          new Bad("1-2-3 * * * *", "too many hyphens: 1-2-3"),
          new Bad("*/2/3 * * * *", "too many slashes: */2/3"),
          new Bad("*/-1 * * * *", "negative number (-1) not allowed: -1"),
          new Bad("*/0 * * * *", "step of range should be a positive number: */0"),
          new Bad(
              "* * L * *",
              "failed to parse int from L: strconv.Atoi: parsing \"L\": invalid syntax"),
          new Bad(
              "99999999999 * * * *", "end of range (99999999999) above maximum (59): 99999999999"),
          new Bad(
              "99999999999999999999 * * * *",
              "failed to parse int from 99999999999999999999: strconv.Atoi: parsing"
                  + " \"99999999999999999999\": value out of range"),
          new Bad("@reboot", "unrecognized descriptor: @reboot"),
          new Bad(
              "@every soon",
              "failed to parse duration @every soon: time: invalid duration \"soon\""),
          new Bad(
              "@every 1d",
              "failed to parse duration @every 1d: time: unknown unit \"d\" in duration \"1d\""),
          new Bad(
              "@every 90",
              "failed to parse duration @every 90: time: missing unit in duration \"90\""),
          new Bad(
              "TZ=Mars/Base * * * * *",
              "provided bad location Mars/Base: unknown time zone Mars/Base"),
          new Bad("TZ=UTC", "empty spec string"));

  @ParameterizedTest
  @FieldSource("BAD")
  void isRefused(Bad c) {
    assertThatThrownBy(() -> Schedule.parse(c.schedule(), ZoneOffset.UTC))
        .isInstanceOf(InvalidScheduleException.class)
        .hasMessage(c.want());
  }

  /** Every minute between two times that are due, and none of them, is due. */
  @Test
  void nothingThatIsDueIsLeftOut() {
    var random = new SplittableRandom(7);
    List<String> zones = List.of("UTC", "Australia/Lord_Howe", "Africa/Cairo", "America/St_Johns");
    for (int round = 0; round < 60; round++) {
      int minute = random.nextInt(60);
      int hour = random.nextInt(4);
      ZoneId zone = ZoneId.of(zones.get(round % zones.size()));
      Schedule schedule = Schedule.parse("%d %d,23 * * *".formatted(minute, hour), zone);
      Instant from = Instant.parse("2026-01-01T00:00:00Z").plusSeconds(random.nextLong(31_000_000));
      Instant next = schedule.next(from).orElseThrow();

      for (long at = from.getEpochSecond() / 60 * 60 + 60; at < next.getEpochSecond(); at += 60) {
        assertThat(isDue(at, minute, hour, zone)).as("%s in %s", at, zone).isFalse();
      }
      assertThat(isDue(next.getEpochSecond(), minute, hour, zone)).isTrue();
    }
  }

  private static boolean isDue(long second, int minute, int hour, ZoneId zone) {
    LocalDateTime clock =
        ZonedDateTime.ofInstant(Instant.ofEpochSecond(second), zone).toLocalDateTime();
    return clock.getMinute() == minute && (clock.getHour() == hour || clock.getHour() == 23);
  }

  @Test
  void zonesHaveTheirNamesFromTheDatabase() {
    assertThat(TimeZones.find("Europe/Berlin")).hasValue(ZoneId.of("Europe/Berlin"));
    assertThat(TimeZones.find("GMT+1")).isEmpty();
    assertThat(TimeZones.find("+01:00")).isEmpty();
    assertThat(TimeZones.find("Z")).isEmpty();
  }
}
