package dev.sluice.conformance.go;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conformance.RequiresGo;
import dev.sluice.model.cron.InvalidScheduleException;
import dev.sluice.model.cron.Schedule;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Our schedules against the parser that Kubernetes has: the same times, and the same complaints.
 */
@RequiresGo
@Timeout(300)
class ScheduleDifferentialIT {
  private static final String CRON = "github.com/robfig/cron/v3";
  private static final int COUNT = 4;

  /** Around the changes of the clock that the cases of the parser itself are about, and others. */
  private static final List<String> TIMES =
      List.of(
          "2012-03-11T04:59:00Z",
          "2012-03-11T06:30:00Z",
          "2012-11-04T03:59:59Z",
          "2012-11-04T05:45:00Z",
          "2012-07-09T23:35:51Z",
          "2012-12-31T23:59:45Z",
          "2018-02-14T10:00:00Z",
          "2018-10-17T09:00:00Z",
          "2016-01-03T07:39:03Z",
          "2026-01-01T00:00:00Z");

  /** Hours that are skipped and repeated, at night and at midnight, by an hour. */
  private static final List<String> ZONES =
      List.of(
          "UTC",
          "America/New_York",
          "Europe/Berlin",
          "Asia/Kolkata",
          "Australia/Sydney",
          "America/St_Johns",
          "Pacific/Auckland");

  private final GoProgram parser;

  private record Question(String schedule, Instant after) {
    Tree tree() {
      return Tree.of("schedule", schedule, "after", after.getEpochSecond(), "count", COUNT);
    }
  }

  ScheduleDifferentialIT(@TempDir Path folder) {
    this.parser = new GoProgram(folder, "cron", CRON + " v3.0.1");
  }

  /** All strings in the parser's own tests, most of which are schedules, at all times. */
  @Test
  void casesOfTheParserItself() {
    var questions = new ArrayList<Question>();
    for (String text : parser.list(parser.sources(CRON).toString())) {
      for (String time : TIMES) {
        questions.add(new Question(text, Instant.parse(time)));
        // Where the parser counts seconds too, its cases begin with them.
        questions.add(
            new Question(text.replaceFirst("^((?:CRON_)?TZ=\\S+ )?0 ", "$1"), Instant.parse(time)));
      }
    }

    compare(questions);
  }

  @Test
  void casesOfOurs() {
    var questions = new ArrayList<Question>();
    for (String schedule :
        List.of(
            "",
            " ",
            "*",
            "* * * *",
            "* * * * * *",
            "60 * * * *",
            "-1 * * * *",
            "*/0 * * * *",
            "*/-1 * * * *",
            "1-2-3 * * * *",
            "*/2/3 * * * *",
            "5-2 * * * *",
            "* * 0 * *",
            "* * 32 * *",
            "* * * 13 *",
            "* * * * 7",
            "* * * FOO *",
            "a * * * *",
            ", * * * *",
            "1, * * * *",
            ",1 * * * *",
            "99999999999 * * * *",
            "+5 * * * *",
            "0x5 * * * *",
            "@reboot",
            "@every",
            "@every ",
            "@every x",
            "@every 1h30m",
            "@every 10ms",
            "@every -5s",
            "@every 1.5s",
            "@every 1d",
            "@every 90",
            "@every 1h5",
            "@every 1h x",
            "@every .",
            "@every -",
            "@every 1h.",
            "99999999999999999999 * * * *",
            "0/99999999999 * * * *",
            "@EVERY 1h",
            "@daily",
            "@Daily",
            "@daily ",
            "@midnight",
            "@annually",
            "@weekly",
            "@monthly",
            "TZ=UTC",
            "TZ= * * * * *",
            "TZ=Mars/X * * * * *",
            "TZ=Asia/Tokyo 0 9 * * *",
            "CRON_TZ=Asia/Tokyo @daily",
            "TZ=Asia/Tokyo @every 1h",
            "TZ=UTC TZ=UTC * * * * *",
            "?/5 * * * *",
            "*-5 * * * *",
            "*/60 * * * *",
            "0-59/7 * * * *",
            "*/5,3 * * * *",
            "mon * * * *",
            "0 0 * * mon-FRI",
            "0 0 * jan,DEC ?",
            "0 0 L * *",
            "0 0 29 2 *",
            "0 0 30 2 *",
            "0 0 31 4,6 *",
            "0 0 29 2 1",
            "0 0 */31 * 0",
            "0 0 1-7 * 1",
            "0 0 ?/2 * 1",
            "0 0 */1 * 1",
            "\t0\t0 * * *",
            "  0 0 * * *  ",
            "0  0 * * *")) {
      for (String time : TIMES) {
        questions.add(new Question(schedule, Instant.parse(time)));
      }
    }

    compare(questions);
  }

  @Test
  void anySchedule() {
    long seed = Long.getLong("seed", 7);
    var random = new SplittableRandom(seed);
    var questions = new ArrayList<Question>();
    for (int i = 0; i < 5000; i++) {
      String zone = ZONES.get(random.nextInt(ZONES.size()));
      String schedule =
          "TZ=%s %s %s %s %s %s"
              .formatted(
                  zone,
                  field(random, 0, 59),
                  field(random, 0, 23),
                  random.nextInt(3) > 0 ? "*" : field(random, 1, 31),
                  random.nextInt(4) > 0 ? "*" : field(random, 1, 12),
                  random.nextInt(3) > 0 ? "*" : field(random, 0, 6));
      questions.add(new Question(schedule, time(random, ZoneId.of(zone))));
    }

    compare(questions);
  }

  /** Any time of ten years, or one in the two days before a clock is changed. */
  private static Instant time(SplittableRandom random, ZoneId zone) {
    Instant any =
        Instant.parse("2020-01-01T00:00:00Z").plusSeconds(random.nextLong(10L * 365 * 86_400));
    ZoneOffsetTransition change = zone.getRules().nextTransition(any);
    return change == null || random.nextBoolean()
        ? any
        : change.getInstant().minusSeconds(random.nextLong(2L * 86_400));
  }

  private static String field(SplittableRandom random, int min, int max) {
    int one = random.nextInt(min, max + 1);
    int other = random.nextInt(min, max + 1);
    int least = Math.min(one, other);
    int most = Math.max(one, other);
    int step = random.nextInt(1, 10);
    return switch (random.nextInt(7)) {
      case 0 -> "*";
      case 1 -> "*/" + step;
      case 2 -> least + "-" + most;
      case 3 -> least + "-" + most + "/" + step;
      case 4 -> least + "/" + step;
      case 5 -> least + "," + most;
      default -> "" + one;
    };
  }

  private void compare(List<Question> questions) {
    List<Tree> answers = parser.ask(questions.stream().map(Question::tree).toList());
    var differences = new ArrayList<String>();
    for (int i = 0; i < questions.size(); i++) {
      Tree answer = answers.get(i);
      String want =
          answer.text("error").isEmpty()
              ? times(answer.items("times").stream().map(ScheduleDifferentialIT::instant).toList())
              : answer.text("error");
      String got = ours(questions.get(i));
      boolean bothRefuse = want.equals("panic") && !got.startsWith("[");
      if (!bothRefuse && !want.equals(got)) {
        differences.add(
            "%s%n  Kubernetes: %s%n  we:         %s".formatted(questions.get(i), want, got));
      }
    }

    assertThat(differences).as("of %d questions", questions.size()).isEmpty();
  }

  private static Instant instant(Value seconds) {
    return Instant.ofEpochSecond(((Value.Whole) seconds).value());
  }

  private static String times(List<Instant> times) {
    return times.toString();
  }

  private static String ours(Question question) {
    try {
      Schedule schedule = Schedule.parse(question.schedule(), ZoneOffset.UTC);
      var times = new ArrayList<Instant>();
      Optional<Instant> next = schedule.next(question.after());
      while (next.isPresent() && times.size() < COUNT) {
        times.add(next.get());
        next = schedule.next(next.get());
      }
      return times(times);
    } catch (InvalidScheduleException refused) {
      return refused.why();
    }
  }
}
