package dev.sluice.controllers.jobs;

import static dev.sluice.testkit.Worlds.pass;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.Timestamps;
import dev.sluice.model.batch.CronJob;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Deletion;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Stopped;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** When Jobs are due: schedules, zones, what was missed and what is too late. */
@Timeout(30)
class CronJobControllerTest {
  private final CronWorld world = new CronWorld();

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void aJobIsStartedWhenItIsDue() {
    world.add("*/5 * * * *", spec -> spec.with("timeZone", "America/New_York"));
    world.wait(Duration.ofSeconds(299));
    assertThat(world.jobs()).isEmpty();

    world.wait(Duration.ofSeconds(2));

    ApiObject job = world.cluster.require(Kinds.JOB.key("default", CronWorld.job(5)));
    assertThat(job.labels()).hasToString("{a=b}");
    assertThat(job.annotation("d")).isEqualTo("e");
    assertThat(job.annotation(CronJob.SCHEDULED)).isEqualTo("2029-12-31T19:05:00-05:00");
    assertThat(job.isOwnedBy(world.now().object())).isTrue();
    assertThat(job.metadata().trees("ownerReferences").getFirst().flag("blockOwnerDeletion"))
        .isTrue();
    assertThat(world.now().lastScheduled()).hasValue(FakeCluster.START.plusSeconds(300));
    assertThat(world.now().active())
        .containsExactly(
            Tree.of("apiVersion", "batch/v1", "kind", "Job", "name", job.name())
                .with("namespace", "default")
                .with("uid", job.uid())
                .with("resourceVersion", job.resourceVersion()));
    assertThat(world.messages("SuccessfulCreate")).containsExactly("Created job " + job.name());
  }

  @Test
  void singleJobMakesUpForAllMissedTimes() {
    world.add("* * * * *", spec -> spec.with("suspend", true));
    world.wait(Duration.ofMinutes(50));
    assertThat(world.jobs()).isEmpty();

    world.change(spec -> spec.with("suspend", false));
    world.settle();

    assertThat(world.jobs()).containsExactly(CronWorld.job(50));
    assertThat(world.messages("TooManyMissedTimes")).isEmpty();
  }

  /** A schedule with pauses: what was missed last lies before the pause in which it is noticed. */
  record Pause(String schedule, Duration until, long latest) {}

  static final List<Pause> PAUSES =
      List.of(
          new Pause("*/5 0-1 * * *", Duration.ofHours(10), 115),
          new Pause("*/5 0-1 * * *", Duration.ofMinutes(116), 115),
          new Pause("* * 1 1 *", Duration.ofDays(200), 1439),
          new Pause("0 3,4 1,2 1 *", Duration.ofDays(40), 1440 + 240),
          new Pause("@every 7m", Duration.ofMinutes(50), 49));

  @ParameterizedTest
  @FieldSource("PAUSES")
  void theLatestTimeBeforeAPauseIsMadeUpForOnce(Pause c) {
    world.add(c.schedule(), spec -> spec.with("suspend", true));
    world.wait(c.until());
    world.change(spec -> spec.with("suspend", false));
    world.settle();
    assertThat(world.jobs()).containsExactly(CronWorld.job(c.latest()));

    world.wait(Duration.ofSeconds(200));
    assertThat(world.jobs()).containsExactly(CronWorld.job(c.latest()));
  }

  @Test
  void manyMissedTimesAreWorthAWarning() {
    world.add("* * * * *", spec -> spec.with("suspend", true));
    world.wait(Duration.ofMinutes(150));
    world.change(spec -> spec.with("suspend", false));
    world.settle();

    assertThat(world.jobs()).containsExactly(CronWorld.job(150));
    assertThat(world.messages("TooManyMissedTimes"))
        .containsExactly(
            "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check"
                + " clock skew");
  }

  @Test
  void jobPastItsDeadlineIsNotStarted() {
    world.add("0 * * * *", spec -> spec.with("suspend", true).with("startingDeadlineSeconds", 60));
    world.wait(Duration.ofMinutes(62));
    world.change(spec -> spec.with("suspend", false));
    world.wait(Duration.ofMinutes(57));
    assertThat(world.jobs()).isEmpty();

    world.wait(Duration.ofMinutes(2));
    assertThat(world.jobs()).containsExactly(CronWorld.job(120));
  }

  @Test
  void anEndlessDeadlineIsNoMistake() {
    world.add("* * * * *", spec -> spec.with("startingDeadlineSeconds", Long.MAX_VALUE));
    world.wait(Duration.ofSeconds(61));

    assertThat(world.jobs()).containsExactly(CronWorld.job(1));
  }

  @Test
  void withoutAZoneTimesAreThoseOfUtc() {
    world.add("* * * * *", spec -> spec);
    world.wait(Duration.ofSeconds(61));

    assertThat(
            world
                .cluster
                .require(Kinds.JOB.key("default", CronWorld.job(1)))
                .annotation(CronJob.SCHEDULED))
        .isEqualTo("2030-01-01T00:01:00Z");
  }

  /** The hour that comes twice in autumn has two moments, and so two Jobs. */
  @Test
  void theRepeatedHourStartsTwoJobs() {
    world.add(
        "30 2 * * *",
        spec -> spec.with("timeZone", "Europe/Berlin").with("concurrencyPolicy", "Allow"));
    world.setStatus("lastScheduleTime", "2030-10-26T12:00:00Z");
    Instant first = Instant.parse("2030-10-27T00:30:00Z");
    world.wait(Duration.between(world.cluster.time().now(), first.plusSeconds(1)));
    assertThat(world.jobs()).containsExactly(name(first));

    world.wait(Duration.ofHours(1));

    assertThat(world.jobs()).containsExactly(name(first), name(first.plusSeconds(3600)));
  }

  /** The hour that summer time skips has no moment. */
  @Test
  void theSkippedHourStartsNone() {
    world.add("30 2 * * *", spec -> spec.with("timeZone", "Europe/Berlin"));
    world.setStatus("lastScheduleTime", "2030-03-30T01:30:00Z");
    Instant next = Instant.parse("2030-04-01T00:30:00Z");
    world.wait(Duration.between(world.cluster.time().now(), next.minusSeconds(1)));
    assertThat(world.jobs()).isEmpty();

    world.wait(Duration.ofSeconds(2));
    assertThat(world.jobs()).containsExactly(name(next));
  }

  private static String name(Instant moment) {
    return "c-" + moment.getEpochSecond() / 60;
  }

  @Test
  void timesWithinOneMinuteShareAJob() {
    world.add("@every 50s", spec -> spec);
    world.wait(Duration.ofSeconds(160));

    assertThat(world.jobs()).containsExactly(CronWorld.job(0), CronWorld.job(1), CronWorld.job(2));
  }

  @Test
  void aTimeThatIsCenturiesAwayCanStillBeChanged() {
    world.add("@every 2562047h", spec -> spec);
    world.wait(Duration.ofSeconds(5));
    world.change(spec -> spec.with("schedule", "* * * * *"));
    world.wait(Duration.ofSeconds(60));

    assertThat(world.jobs()).containsExactly(CronWorld.job(1));
  }

  @Test
  void aNewScheduleIsAboutTheTimesToCome() {
    world.add("0 0 1 2 *", spec -> spec);
    world.wait(Duration.ofSeconds(90));
    world.change(spec -> spec.with("schedule", "* * * * *"));
    world.settle();
    assertThat(world.jobs()).isEmpty();

    world.wait(Duration.ofSeconds(31));
    assertThat(world.jobs()).containsExactly(CronWorld.job(2));
  }

  @Test
  void aScheduleThatIsNeverDueIsComplainedOf() {
    world.add("59 23 31 2 *", spec -> spec);
    world.settle();

    assertThat(world.messages("InvalidSchedule"))
        .containsExactly(
            "invalid schedule: 59 23 31 2 * : time difference between two schedules is less than"
                + " 1 second");
  }

  @Test
  void whatCannotBeReadIsComplainedOf() {
    world.add("* * * * 7", spec -> spec);
    world.settle();
    world.change(spec -> spec.with("timeZone", "Mars/Base"));
    world.settle();

    assertThat(world.messages("UnparseableSchedule"))
        .containsExactly(
            "unparseable schedule: \"* * * * 7\" : end of range (7) above maximum (6): 7");
    assertThat(world.messages("UnknownTimeZone"))
        .containsExactly("invalid timeZone: \"Mars/Base\": unknown time zone Mars/Base");
    assertThat(world.jobs()).isEmpty();
  }

  @Test
  void aStatusFromTheEndOfTimeDoesNoHarm() {
    world.add("* * * * *", spec -> spec);
    world.setStatus("lastScheduleTime", Instant.MAX.toString());
    world.wait(Duration.ofSeconds(200));
    assertThat(world.jobs()).isEmpty();

    world.setStatus(
        "lastScheduleTime", Timestamps.format(world.cluster.time().now().minusSeconds(100)));
    world.settle();
    assertThat(world.jobs()).containsExactly(CronWorld.job(3));
  }

  /** Stops the controller after every single write, and starts a new one. */
  @Test
  void whateverWriteItIsStoppedAfterEachTimeHasItsJobOnce() {
    for (int writes = 1; writes < 12; writes++) {
      var other = new FakeCluster(writes);
      var first = Worlds.driver(other, 1, List.of(new CronJobController(other)));
      other.create(
          Kinds.CRON_JOB, world.add("* * * * *", spec -> spec).object().withoutMetadata("uid"));
      world.cluster.delete(
          Kinds.CRON_JOB, world.cluster.require(CronWorld.KEY), Deletion.BACKGROUND);
      other.stopAfterWrites(writes);
      try {
        pass(first, other, Duration.ofSeconds(125));
      } catch (Stopped stopped) {
        other.neverStop();
      }
      first.close();
      other.neverStop();
      var second = Worlds.driver(other, 2, List.of(new CronJobController(other)));
      Instant end = FakeCluster.START.plusSeconds(185);
      pass(second, other, Duration.between(other.time().now(), end));
      second.close();

      assertThat(other.list(Kinds.JOB).stream().map(ApiObject::name))
          .as("stopped after write %d", writes)
          .containsExactly(CronWorld.job(1), CronWorld.job(2), CronWorld.job(3));
      assertThat(new CronJob(other.require(CronWorld.KEY)).active()).hasSize(3);
    }
  }
}
