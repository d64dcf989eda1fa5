package dev.sluice.controllers.jobs;

import static dev.sluice.controllers.Worlds.pass;
import static dev.sluice.controllers.Worlds.reasons;
import static dev.sluice.controllers.Worlds.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.FakeCluster;
import dev.sluice.controllers.Worlds;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.Timestamps;
import dev.sluice.model.batch.CronJob;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.core.Event;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.VirtualDriver;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CronJobControllerTest {
  private static final ObjectKey KEY = Kinds.CRON_JOB.key("default", "c");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** The minute with which the world of the tests begins, as names of Jobs have it. */
  private static final long FIRST = FakeCluster.START.getEpochSecond() / 60;

  private final FakeCluster cluster = new FakeCluster(1);
  private final VirtualDriver driver =
      Worlds.driver(cluster, 1, List.of(new CronJobController(cluster)));

  @AfterEach
  void stop() {
    driver.close();
  }

  private CronJob add(String schedule, UnaryOperator<Tree> spec) {
    ApiObject object =
        yaml(
            """
            apiVersion: batch/v1
            kind: CronJob
            metadata: {name: c, namespace: default}
            spec:
              schedule: "%s"
              jobTemplate:
                metadata: {labels: {a: b}, annotations: {d: e}}
                spec: {template: {spec: {restartPolicy: Never, containers: [{name: m, image: i}]}}}
            """
                .formatted(schedule));
    return new CronJob(cluster.create(Kinds.CRON_JOB, object.withSpec(spec.apply(object.spec()))));
  }

  private CronJob now() {
    return new CronJob(cluster.require(KEY));
  }

  private void change(UnaryOperator<Tree> spec) {
    ApiObject object = cluster.require(KEY);
    cluster.update(Kinds.CRON_JOB, object.withSpec(spec.apply(object.spec())));
  }

  private void setStatus(String field, Object value) {
    ApiObject object = cluster.require(KEY);
    cluster.patchStatus(Kinds.CRON_JOB, object, object.status().with(field, value));
  }

  private void wait(Duration time) {
    pass(driver, cluster, time);
  }

  private List<String> jobs() {
    return cluster.list(Kinds.JOB).stream().map(ApiObject::name).toList();
  }

  private static String job(long minute) {
    return "c-" + (FIRST + minute);
  }

  private void finish(String name, String condition) {
    Job job = Worlds.job(cluster, name);
    Instant moment = cluster.time().now();
    JobStatus status =
        job.status()
            .withStarted(moment)
            .withCompleted(moment)
            .withCondition(new Condition(condition, true, "", ""), moment);
    cluster.patchStatus(Kinds.JOB, job.object(), status.tree());
    driver.settle();
  }

  private List<String> messages(String reason) {
    return cluster.list(Kinds.EVENT).stream()
        .map(Event::new)
        .filter(event -> event.reason().equals(reason))
        .map(Event::message)
        .toList();
  }

  @Test
  void aJobIsStartedWhenItIsDue() {
    add("*/5 * * * *", spec -> spec.with("timeZone", "America/New_York"));
    wait(Duration.ofSeconds(299));
    assertThat(jobs()).isEmpty();

    wait(Duration.ofSeconds(2));

    ApiObject job = cluster.require(Kinds.JOB.key("default", job(5)));
    assertThat(job.labels()).hasToString("{a=b}");
    assertThat(job.annotation("d")).isEqualTo("e");
    assertThat(job.annotation(CronJob.SCHEDULED)).isEqualTo("2029-12-31T19:05:00-05:00");
    assertThat(job.isOwnedBy(now().object())).isTrue();
    assertThat(job.metadata().trees("ownerReferences").getFirst().flag("blockOwnerDeletion"))
        .isTrue();
    assertThat(now().lastScheduled()).hasValue(FakeCluster.START.plusSeconds(300));
    assertThat(now().active())
        .containsExactly(
            Tree.of("apiVersion", "batch/v1", "kind", "Job", "name", job.name())
                .with("namespace", "default")
                .with("uid", job.uid())
                .with("resourceVersion", job.resourceVersion()));
    assertThat(messages("SuccessfulCreate")).containsExactly("Created job " + job.name());
  }

  @Test
  void oneJobMakesUpForAllThatWereMissed() {
    add("* * * * *", spec -> spec.with("suspend", true));
    wait(Duration.ofMinutes(50));
    assertThat(jobs()).isEmpty();

    change(spec -> spec.with("suspend", false));
    driver.settle();

    assertThat(jobs()).containsExactly(job(50));
    assertThat(messages("TooManyMissedTimes")).isEmpty();
  }

  @Test
  void manyMissedTimesAreWorthAWarning() {
    add("* * * * *", spec -> spec.with("suspend", true));
    wait(Duration.ofMinutes(150));
    change(spec -> spec.with("suspend", false));
    driver.settle();

    assertThat(jobs()).containsExactly(job(150));
    assertThat(messages("TooManyMissedTimes"))
        .containsExactly(
            "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check"
                + " clock skew");
  }

  @Test
  void whatIsTooLateIsNotStarted() {
    add("0 * * * *", spec -> spec.with("suspend", true).with("startingDeadlineSeconds", 60));
    wait(Duration.ofMinutes(62));
    change(spec -> spec.with("suspend", false));
    wait(Duration.ofMinutes(57));
    assertThat(jobs()).isEmpty();

    wait(Duration.ofMinutes(2));
    assertThat(jobs()).containsExactly(job(120));
  }

  @Test
  void anEndlessDeadlineIsNoMistake() {
    add("* * * * *", spec -> spec.with("startingDeadlineSeconds", Long.MAX_VALUE));
    wait(Duration.ofSeconds(61));

    assertThat(jobs()).containsExactly(job(1));
  }

  @Test
  void allowLetsJobsRunSideBySide() {
    add("* * * * *", spec -> spec);
    wait(Duration.ofSeconds(121));

    assertThat(jobs()).containsExactly(job(1), job(2));
    assertThat(now().active()).hasSize(2);
  }

  @Test
  void forbidMakesUpForTheLastTimeOnceTheRunningJobEnds() {
    add("* * * * *", spec -> spec.with("concurrencyPolicy", "Forbid"));
    wait(Duration.ofSeconds(185));
    assertThat(jobs()).containsExactly(job(1));
    assertThat(now().lastScheduled()).hasValue(FakeCluster.START.plus(MINUTE));
    assertThat(messages("JobAlreadyActive"))
        .containsExactly(
            "Not starting job because prior execution is running and concurrency policy is Forbid");

    finish(job(1), JobStatus.COMPLETE);

    assertThat(jobs()).containsExactly(job(1), job(3));
    assertThat(messages("SawCompletedJob"))
        .containsExactly("Saw completed job: %s, condition: Complete".formatted(job(1)));
    assertThat(now().lastSuccess()).hasValue(FakeCluster.START.plusSeconds(185));
  }

  @Test
  void replaceDeletesTheJobThatRuns() {
    add("* * * * *", spec -> spec.with("concurrencyPolicy", "Replace"));
    wait(Duration.ofSeconds(121));

    assertThat(jobs()).containsExactly(job(2));
    assertThat(now().active()).hasSize(1);
    assertThat(messages("SuccessfulDelete")).containsExactly("Deleted job " + job(1));
    assertThat(messages("MissingJob")).isEmpty();
  }

  @Test
  void onlyTheLatestFinishedJobsAreKept() {
    add(
        "* * * * *",
        spec -> spec.with("successfulJobsHistoryLimit", 1).with("failedJobsHistoryLimit", 0));
    for (int minute = 1; minute <= 3; minute++) {
      wait(minute == 1 ? Duration.ofSeconds(61) : MINUTE);
      finish(job(minute), minute == 2 ? JobStatus.FAILED : JobStatus.COMPLETE);
    }

    assertThat(jobs()).containsExactly(job(3));
    assertThat(now().active()).isEmpty();
    assertThat(messages("SuccessfulDelete"))
        .containsExactlyInAnyOrder("Deleted job " + job(1), "Deleted job " + job(2));
  }

  @Test
  void aJobThatSomebodyDeletedIsMissed() {
    add("* * * * *", spec -> spec);
    wait(Duration.ofSeconds(61));
    ApiObject job = cluster.require(Kinds.JOB.key("default", job(1)));
    cluster.delete(Kinds.JOB, job, Deletion.BACKGROUND);
    driver.settle();

    assertThat(now().active()).isEmpty();
    assertThat(messages("MissingJob")).containsExactly("Active job went missing: " + job(1));
    assertThat(jobs()).isEmpty();
  }

  @Test
  void aJobMadeByHandIsNotCounted() {
    CronJob cronJob = add("0 0 * * *", spec -> spec.with("concurrencyPolicy", "Forbid"));
    cluster.create(Kinds.JOB, Worlds.job("by-hand", spec -> spec).controlledBy(cronJob.object()));
    driver.settle();

    assertThat(now().active()).isEmpty();
    assertThat(messages("UnexpectedJob"))
        .containsExactly("Saw a job that the controller did not create or forgot: by-hand");
  }

  @Test
  void theJobOfAnotherOwnerOfTheSameNameIsLeftAlone() {
    add("* * * * *", spec -> spec.with("successfulJobsHistoryLimit", 0));
    ApiObject other = ApiObject.of(Kinds.WORKLOAD, "default", "c").withMetadata("uid", "other");
    cluster.create(Kinds.JOB, Worlds.job("theirs", spec -> spec).controlledBy(other));
    finish("theirs", JobStatus.COMPLETE);
    wait(MINUTE);

    assertThat(jobs()).contains("theirs");
    assertThat(messages("UnexpectedJob")).isEmpty();
  }

  @Test
  void timesWithinOneMinuteShareAJob() {
    add("@every 50s", spec -> spec);
    wait(Duration.ofSeconds(160));

    assertThat(jobs()).containsExactly(job(0), job(1), job(2));
  }

  @Test
  void aNewScheduleIsAboutTheTimesToCome() {
    add("0 0 1 2 *", spec -> spec);
    wait(Duration.ofSeconds(90));
    change(spec -> spec.with("schedule", "* * * * *"));
    driver.settle();
    assertThat(jobs()).isEmpty();

    wait(Duration.ofSeconds(31));
    assertThat(jobs()).containsExactly(job(2));
  }

  @Test
  void aScheduleThatIsNeverDueIsComplainedOf() {
    add("59 23 31 2 *", spec -> spec);
    driver.settle();

    assertThat(messages("InvalidSchedule"))
        .containsExactly(
            "invalid schedule: 59 23 31 2 * : time difference between two schedules is less than"
                + " 1 second");
  }

  @Test
  void whatCannotBeReadIsComplainedOf() {
    add("* * * * 7", spec -> spec);
    driver.settle();
    change(spec -> spec.with("timeZone", "Mars/Base"));
    driver.settle();

    assertThat(messages("UnparseableSchedule"))
        .containsExactly(
            "unparseable schedule: \"* * * * 7\" : end of range (7) above maximum (6): 7");
    assertThat(messages("UnknownTimeZone"))
        .containsExactly("invalid timeZone: \"Mars/Base\": unknown time zone Mars/Base");
    assertThat(jobs()).isEmpty();
  }

  @Test
  void aStatusFromTheEndOfTimeDoesNoHarm() {
    add("* * * * *", spec -> spec);
    setStatus("lastScheduleTime", Instant.MAX.toString());
    wait(Duration.ofSeconds(200));
    assertThat(jobs()).isEmpty();

    setStatus("lastScheduleTime", Timestamps.format(cluster.time().now().minusSeconds(100)));
    driver.settle();
    assertThat(jobs()).containsExactly(job(3));
  }

  @Test
  void aNameThatIsTakenIsLeftToItsOwner() {
    cluster.create(Kinds.JOB, Worlds.job(job(1), spec -> spec));
    add("* * * * *", spec -> spec);
    wait(Duration.ofSeconds(121));

    assertThat(jobs()).containsExactly(job(1), job(2));
    assertThat(now().active()).hasSize(1);
    assertThat(reasons(cluster, "c")).doesNotContain("FailedCreate");
  }

  /** Stops the controller after every single write, and starts a new one. */
  @Test
  void whateverWriteItIsStoppedAfterEachTimeHasItsJobOnce() {
    for (int writes = 1; writes < 12; writes++) {
      var world = new FakeCluster(writes);
      var first = Worlds.driver(world, 1, List.of(new CronJobController(world)));
      world.create(Kinds.CRON_JOB, add("* * * * *", spec -> spec).object().withoutMetadata("uid"));
      cluster.delete(Kinds.CRON_JOB, cluster.require(KEY), Deletion.BACKGROUND);
      world.stopAfterWrites(writes);
      try {
        pass(first, world, Duration.ofSeconds(125));
      } catch (FakeCluster.Stopped stopped) {
        world.neverStop();
      }
      first.close();
      world.neverStop();
      var second = Worlds.driver(world, 2, List.of(new CronJobController(world)));
      Instant end = FakeCluster.START.plusSeconds(185);
      pass(second, world, Duration.between(world.time().now(), end));
      second.close();

      assertThat(world.list(Kinds.JOB).stream().map(ApiObject::name))
          .as("stopped after write %d", writes)
          .containsExactly(job(1), job(2), job(3));
      assertThat(new CronJob(world.require(KEY)).active()).hasSize(3);
    }
  }
}
