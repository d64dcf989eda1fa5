package dev.sluice.controllers.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobPod;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.core.Event;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Deletion;
import dev.sluice.testkit.Worlds;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where rules of Jobs meet: limits and deadlines, ends that were announced, pods of others. */
@Timeout(30)
class JobEdgesTest {
  private static final String INDEXED = "completionMode: Indexed, completions: 3, parallelism: 3";

  private final JobWorld world = new JobWorld();

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void whatWasAnnouncedAsSuccessNeverFails() {
    world.submit(
        "{"
            + INDEXED
            + ", backoffLimit: 0, activeDeadlineSeconds: 5, successPolicy: {rules:"
            + " [{succeededCount: 1}]}}");
    world.bind();
    world.succeed(0);
    List<Pod> ending = world.pods().stream().filter(Pod::isTerminating).toList();
    world.pass(10);
    ending.forEach(pod -> world.fail(pod, 1));

    assertThat(world.reason(JobStatus.COMPLETE)).isEqualTo("SuccessPolicy");
    assertThat(world.reason(JobStatus.FAILURE_TARGET)).isEmpty();
  }

  @Test
  void whatWasAnnouncedAsFailureNeverSucceeds() {
    world.submit("{parallelism: 2, completions: 1, backoffLimit: 0}");
    world.change("{parallelism: 2}");
    world.bind();
    world.fail(world.active().getFirst(), 1);
    assertThat(world.reason(JobStatus.FAILURE_TARGET)).isEqualTo("BackoffLimitExceeded");

    world.pods().stream().filter(Pod::isTerminating).forEach(world::succeed);
    world.pass(2);

    assertThat(world.reason(JobStatus.FAILED)).isEqualTo("BackoffLimitExceeded");
    assertThat(world.reason(JobStatus.SUCCESS_CRITERIA_MET)).isEmpty();
  }

  @Test
  void theLimitOfTheWholeJobHoldsBesideThatOfEachIndex() {
    world.submit("{" + INDEXED + ", backoffLimitPerIndex: 5, backoffLimit: 1}");
    world.fail(0, 1);
    world.fail(1, 1);
    world.pass(15);

    assertThat(world.reason(JobStatus.FAILED)).isEqualTo("BackoffLimitExceeded");
  }

  @Test
  void restartsOfPodsThatAreStillEndingCountAgainstTheLimit() {
    world.submit(
        "{parallelism: 2, completions: 2, backoffLimit: 3, podReplacementPolicy: Failed, template:"
            + " {spec: {restartPolicy: OnFailure}}}");
    world.bind();
    Pod ending = world.active().getFirst();
    restart(ending, 2);
    world.cluster.delete(Kinds.POD, ending.object(), Deletion.BACKGROUND);
    world.pass(2);
    assertThat(world.reason(JobStatus.FAILURE_TARGET)).isEmpty();

    restart(world.active().getFirst(), 1);
    world.pass(2);

    assertThat(world.reason(JobStatus.FAILURE_TARGET)).isEqualTo("BackoffLimitExceeded");
  }

  private void restart(Pod pod, int times) {
    var restarted = List.of(Tree.of("name", "main", "restartCount", times));
    world.cluster.patchStatus(
        Kinds.POD, pod.object(), pod.object().status().with("containerStatuses", restarted));
  }

  @Test
  void whileOnePodIsWaitedForNoOtherIsCreatedEither() {
    world.submit("{parallelism: 1, completions: 5}");
    world.fail(world.active().getFirst(), 1);
    world.change("{parallelism: 3}");
    world.pass(5);
    assertThat(world.active()).isEmpty();

    world.pass(4);
    assertThat(world.active()).hasSize(3);
  }

  @Test
  void suspendingStopsTheClockOfTheDeadlineAndKeepsTheFailures() {
    world.submit("{parallelism: 2, completions: 2, activeDeadlineSeconds: 40}");
    world.fail(world.active().getFirst(), 1);
    world.pass(25);
    world.change("{suspend: true}");
    world.pass(100);
    assertThat(world.job().isFinished()).isFalse();

    world.change("{suspend: false}");
    world.pass(35);
    assertThat(world.job().isFinished()).isFalse();
    assertThat(world.status().failed()).isEqualTo(1);

    world.pass(6);
    assertThat(world.reason(JobStatus.FAILED)).isEqualTo("DeadlineExceeded");
  }

  @Test
  void aDeadlineOfNothingEndsTheJobAtOnce() {
    world.submit("{activeDeadlineSeconds: 0}");
    world.pass(2);

    assertThat(world.reason(JobStatus.FAILED)).isEqualTo("DeadlineExceeded");
    assertThat(world.active()).isEmpty();
  }

  @Test
  void anEndlessDeadlineIsNoMistake() {
    world.submit("{activeDeadlineSeconds: 9223372036854775807}");
    world.pass(5);
    world.change("{parallelism: 0}");
    world.pass(5);

    assertThat(world.active()).isEmpty();
    assertThat(world.job().isFinished()).isFalse();
  }

  @Test
  void aPodThatCannotBeDeletedIsToldOfAndTriedAgain() {
    world.submit("{activeDeadlineSeconds: 5}");
    world.cluster.refuseDeletions(Kinds.POD);
    world.pass(10);
    assertThat(world.reasons()).contains("FailedDelete");
    assertThat(world.job().isFinished()).isFalse();

    world.cluster.refuseDeletions();
    world.pass(60);

    assertThat(world.reason(JobStatus.FAILED)).isEqualTo("DeadlineExceeded");
    assertThat(world.status().failed()).isEqualTo(1);
  }

  @Test
  void conditionsOfOthersStay() {
    world.submit("{}");
    ApiObject job = world.job().object();
    var foreign = new Condition("example.com/Checked", true, "Fine", "all is well");
    world.cluster.patchStatus(Kinds.JOB, job, foreign.in(job.status(), world.cluster.time().now()));
    world.succeed(world.active().getFirst());

    assertThat(world.status().tree().trees("conditions"))
        .extracting(condition -> condition.text("type"))
        .containsExactly("example.com/Checked", "SuccessCriteriaMet", "Complete");
  }

  @Test
  void podsOfAJobOfAnotherManagerKeepTheFinalizer() {
    Job job = world.submit("{managedBy: acme.io/other}");
    world.cluster.create(Kinds.POD, job.pod("j-theirs", "j-"));
    Worlds.setPhase(world.cluster, world.pods().getFirst(), Pod.Phase.FAILED);
    world.pass(5);

    assertThat(world.pods().getFirst().object().finalizers()).containsExactly(Job.TRACKING);
    assertThat(world.status().tree()).isEqualTo(Tree.EMPTY);
  }

  @Test
  void finishedJobsOfAnotherManagerGoInTheirTimeToo() {
    Job job = world.submit("{managedBy: acme.io/other, ttlSecondsAfterFinished: 0}");
    var complete = new Condition(JobStatus.COMPLETE, true, "Done", "");
    world.cluster.patchStatus(
        Kinds.JOB, job.object(), complete.in(Tree.EMPTY, world.cluster.time().now()));
    world.pass(1);

    assertThat(world.job().object().isDeleting()).isTrue();
  }

  @Test
  void anUnknownModeIsToldAndNothingElseDone() {
    world.submit("{completionMode: Odd}");

    assertThat(world.reasons()).containsExactly("UnknownCompletionMode");
    assertThat(world.pods()).isEmpty();
    assertThat(world.status().tree()).isEqualTo(Tree.EMPTY);
  }

  @Test
  void moreSuccessesThanWereWantedAreToldOf() {
    Job job = world.submit("{}");
    world.cluster.create(Kinds.POD, job.pod("j-extra", "j-"));
    world.pods().forEach(pod -> Worlds.setPhase(world.cluster, pod, Pod.Phase.SUCCEEDED));
    world.pass(2);

    assertThat(world.status().succeeded()).isEqualTo(2);
    assertThat(world.reasons()).contains("Completed", "TooManySucceededPods");
  }

  @Test
  void inANamespaceThatEndsNobodyComplainsOfPodsThatCannotBe() {
    ApiObject namespace =
        world.cluster.create(Kinds.NAMESPACE, ApiObject.of(Kinds.NAMESPACE, "", "default"));
    world.submit("{parallelism: 0, completions: 1}");
    world.cluster.delete(Kinds.NAMESPACE, namespace, Deletion.BACKGROUND);
    world.change("{parallelism: 1}");
    world.pass(30);

    assertThat(world.pods()).isEmpty();
    assertThat(world.reasons()).doesNotContain("FailedCreate");
  }

  @Test
  void aQuotaIsAskedInGrowingBatchesAndThenOnceInAWhile() {
    var asked = new int[1];
    world.cluster.guard((kind, object) -> {
      if (kind.equals(Kinds.POD)) {
        asked[0]++;
        if (world.pods().size() >= 9) {
          throw ApiFailure.forbidden(object.key(kind), "exceeded quota");
        }
      }
    });
    world.submit("{parallelism: 50, completions: 50}");
    assertThat(asked[0]).as("1, 2, 4 and 8, of which 2 fit").isEqualTo(15);
    assertThat(failures()).isEqualTo(6);
    assertThat(world.status().active()).isEqualTo(9);

    world.pass(10);
    assertThat(asked[0]).as("one each after 1, 3 and 7 seconds").isEqualTo(18);
  }

  private long failures() {
    return world.cluster.list(Kinds.EVENT).stream()
        .map(Event::new)
        .filter(event -> event.reason().equals("FailedCreate"))
        .mapToLong(Event::count)
        .sum();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "-1", "1.5", "3", "99999999999"})
  void aPodWhoseIndexIsNoneGoesAndCountsForNothing(String index) {
    Job job = world.submit("{" + INDEXED + "}");
    world.cluster.create(Kinds.POD, job.pod("j-odd", "j-").withAnnotation(JobPod.INDEX, index));
    world.cluster.create(Kinds.POD, job.pod("j-done", "j-").withAnnotation(JobPod.INDEX, index));
    Pod done = new Pod(world.cluster.require(Kinds.POD.key("default", "j-done")));
    Worlds.setPhase(world.cluster, done, Pod.Phase.SUCCEEDED);
    world.pass(2);

    assertThat(world.activeIndexes()).containsExactly(0L, 1L, 2L);
    assertThat(world.status().succeeded()).isZero();
    assertThat(world.status().failed()).isZero();
  }

  @Test
  void containersThatPrepareTheWorkKnowTheIndexToo() {
    world.submit("{" + INDEXED + ", template: {spec: {initContainers: [{name: init, image: i}]}}}");

    Pod pod = world.active(1);
    assertThat(pod.spec().initContainers().getFirst().tree().trees("env"))
        .isEqualTo(pod.spec().containers().getFirst().tree().trees("env"))
        .hasSize(1);
  }
}
