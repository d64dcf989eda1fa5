package dev.sluice.controllers.jobs;

import static dev.sluice.testkit.Worlds.reasons;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.batch.CronJob;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.runtime.Deletion;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of the Jobs of a CronJob, and of those that others make. */
@Timeout(30)
class CronJobRecordTest {
  private final CronWorld world = new CronWorld();

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void allowLetsJobsRunSideBySide() {
    world.add("* * * * *", spec -> spec);
    world.wait(Duration.ofSeconds(121));

    assertThat(world.jobs()).containsExactly(CronWorld.job(1), CronWorld.job(2));
    assertThat(world.now().active()).hasSize(2);
  }

  @Test
  void forbidMakesUpForTheLastTimeOnceTheRunningJobEnds() {
    world.add("* * * * *", spec -> spec.with("concurrencyPolicy", "Forbid"));
    world.wait(Duration.ofSeconds(185));
    assertThat(world.jobs()).containsExactly(CronWorld.job(1));
    assertThat(world.now().lastScheduled()).hasValue(FakeCluster.START.plus(CronWorld.MINUTE));
    assertThat(world.messages("JobAlreadyActive"))
        .containsExactly(
            "Not starting job because prior execution is running and concurrency policy is Forbid");

    world.finish(CronWorld.job(1), JobStatus.COMPLETE);

    assertThat(world.jobs()).containsExactly(CronWorld.job(1), CronWorld.job(3));
    assertThat(world.messages("SawCompletedJob"))
        .containsExactly("Saw completed job: %s, condition: Complete".formatted(CronWorld.job(1)));
    assertThat(world.now().lastSuccess()).hasValue(FakeCluster.START.plusSeconds(185));
  }

  @Test
  void replaceDeletesTheJobThatRuns() {
    world.add("* * * * *", spec -> spec.with("concurrencyPolicy", "Replace"));
    world.wait(Duration.ofSeconds(121));

    assertThat(world.jobs()).containsExactly(CronWorld.job(2));
    assertThat(world.now().active()).hasSize(1);
    assertThat(world.messages("SuccessfulDelete"))
        .containsExactly("Deleted job " + CronWorld.job(1));
    assertThat(world.messages("MissingJob")).isEmpty();
  }

  @Test
  void onlyTheLatestFinishedJobsAreKept() {
    world.add(
        "* * * * *",
        spec -> spec.with("successfulJobsHistoryLimit", 1).with("failedJobsHistoryLimit", 0));
    for (int minute = 1; minute <= 3; minute++) {
      world.wait(minute == 1 ? Duration.ofSeconds(61) : CronWorld.MINUTE);
      world.finish(CronWorld.job(minute), minute == 2 ? JobStatus.FAILED : JobStatus.COMPLETE);
    }

    assertThat(world.jobs()).containsExactly(CronWorld.job(3));
    assertThat(world.now().active()).isEmpty();
    assertThat(world.messages("SuccessfulDelete"))
        .containsExactlyInAnyOrder(
            "Deleted job " + CronWorld.job(1), "Deleted job " + CronWorld.job(2));
  }

  @Test
  void theOldestByTheirStartGoFirst() {
    CronJob cronJob = world.add("0 0 1 2 *", spec -> spec.with("successfulJobsHistoryLimit", 2));
    for (String name : List.of("d", "a", "b")) {
      world.cluster.create(
          Kinds.JOB, Worlds.job(name, spec -> spec).controlledBy(cronJob.object()));
      world.finish(name, JobStatus.COMPLETE);
      world.wait(Duration.ofSeconds(10));
    }

    assertThat(world.jobs()).containsExactly("a", "b");
  }

  @Test
  void aJobThatCannotBeDeletedDoesNotHoldUpTheNext() {
    world.add("* * * * *", spec -> spec.with("successfulJobsHistoryLimit", 0));
    world.wait(Duration.ofSeconds(61));
    world.cluster.refuseDeletions(Kinds.JOB);
    world.finish(CronWorld.job(1), JobStatus.COMPLETE);
    world.wait(CronWorld.MINUTE);

    assertThat(world.jobs()).contains(CronWorld.job(1), CronWorld.job(2));
    assertThat(world.messages("FailedDelete").getFirst()).startsWith("Deleted job: ");
  }

  @Test
  void aJobThatCannotBeCreatedIsTriedAgain() {
    var refused = new int[1];
    world.cluster.guard((kind, object) -> {
      if (kind.equals(Kinds.JOB) && refused[0]++ < 2) {
        throw ApiFailure.forbidden(object.key(kind), "exceeded quota");
      }
    });
    world.add("* * * * *", spec -> spec);
    world.wait(Duration.ofSeconds(90));

    assertThat(world.jobs()).containsExactly(CronWorld.job(1));
    assertThat(world.messages("FailedCreate").getFirst())
        .startsWith("Error creating job: ")
        .contains("exceeded quota");
    assertThat(world.now().lastScheduled()).hasValue(FakeCluster.START.plus(CronWorld.MINUTE));
  }

  @Test
  void aCronJobThatIsBeingDeletedStartsNothing() {
    ApiObject object = world.add("* * * * *", spec -> spec).object();
    world.cluster.update(Kinds.CRON_JOB, object.withFinalizer("a.b/held"));
    world.cluster.delete(Kinds.CRON_JOB, world.cluster.require(CronWorld.KEY), Deletion.BACKGROUND);
    world.wait(Duration.ofSeconds(125));

    assertThat(world.jobs()).isEmpty();
  }

  @Test
  void jobsThatRunGoOnWhileTheirCronJobIsSuspended() {
    world.add("* * * * *", spec -> spec);
    world.wait(Duration.ofSeconds(61));
    world.change(spec -> spec.with("suspend", true));
    world.wait(CronWorld.MINUTE.multipliedBy(2));
    assertThat(world.jobs()).containsExactly(CronWorld.job(1));
    assertThat(world.now().active()).hasSize(1);

    world.finish(CronWorld.job(1), JobStatus.FAILED);

    assertThat(world.now().active()).isEmpty();
    assertThat(world.messages("SawCompletedJob"))
        .containsExactly("Saw completed job: %s, condition: Failed".formatted(CronWorld.job(1)));
    assertThat(world.now().lastSuccess()).isEmpty();
  }

  @Test
  void aJobThatSomebodyDeletedIsMissed() {
    world.add("* * * * *", spec -> spec);
    world.wait(Duration.ofSeconds(61));
    ApiObject job = world.cluster.require(Kinds.JOB.key("default", CronWorld.job(1)));
    world.cluster.delete(Kinds.JOB, job, Deletion.BACKGROUND);
    world.settle();

    assertThat(world.now().active()).isEmpty();
    assertThat(world.messages("MissingJob"))
        .containsExactly("Active job went missing: " + CronWorld.job(1));
    assertThat(world.jobs()).isEmpty();
  }

  @Test
  void aJobMadeByHandIsNotCounted() {
    CronJob cronJob = world.add("0 0 * * *", spec -> spec.with("concurrencyPolicy", "Forbid"));
    world.cluster.create(
        Kinds.JOB, Worlds.job("by-hand", spec -> spec).controlledBy(cronJob.object()));
    world.settle();

    assertThat(world.now().active()).isEmpty();
    assertThat(world.messages("UnexpectedJob"))
        .containsExactly("Saw a job that the controller did not create or forgot: by-hand");
  }

  @Test
  void theJobOfAnotherOwnerOfTheSameNameIsLeftAlone() {
    world.add("* * * * *", spec -> spec.with("successfulJobsHistoryLimit", 0));
    ApiObject other = ApiObject.of(Kinds.WORKLOAD, "default", "c").withMetadata("uid", "other");
    world.cluster.create(Kinds.JOB, Worlds.job("theirs", spec -> spec).controlledBy(other));
    world.finish("theirs", JobStatus.COMPLETE);
    world.wait(CronWorld.MINUTE);

    assertThat(world.jobs()).contains("theirs");
    assertThat(world.messages("UnexpectedJob")).isEmpty();
  }

  @Test
  void aNameThatIsTakenIsLeftToItsOwner() {
    world.cluster.create(Kinds.JOB, Worlds.job(CronWorld.job(1), spec -> spec));
    world.add("* * * * *", spec -> spec);
    world.wait(Duration.ofSeconds(121));

    assertThat(world.jobs()).containsExactly(CronWorld.job(1), CronWorld.job(2));
    assertThat(world.now().active()).hasSize(1);
    assertThat(reasons(world.cluster, "c")).doesNotContain("FailedCreate");
  }
}
