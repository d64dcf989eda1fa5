package dev.sluice.controllers.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.batch.JobPod;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.runtime.Deletion;
import dev.sluice.testkit.Worlds;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What rules on failures and successes, and limits per index, make of a Job. */
@Timeout(30)
class JobPolicyTest {
  private static final String INDEXED = "completionMode: Indexed, completions: 4, parallelism: 4";

  private final JobWorld world = new JobWorld();

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void aRuleFailsTheJobAndSaysWhichPodDidIt() {
    world.submit(
        "{parallelism: 2, completions: 2, podFailurePolicy: {rules: [{action: Ignore,"
            + " onPodConditions: [{type: DisruptionTarget, status: 'True'}]}, {action: FailJob,"
            + " onExitCodes: {containerName: main, operator: In, values: [3, 42]}}]}}");
    world.bind();
    Pod pod = world.active().getFirst();
    world.fail(pod, 42);

    assertThat(world.reason(JobStatus.FAILURE_TARGET)).isEqualTo("PodFailurePolicy");
    assertThat(world.message(JobStatus.FAILURE_TARGET))
        .isEqualTo(
            "Container main for pod default/%s failed with exit code 42 matching FailJob rule at"
                    .formatted(pod.name())
                + " index 1");
    assertThat(world.status().terminating()).isEqualTo(1);
    assertThat(world.status().failed()).isEqualTo(2);
    assertThat(world.reason(JobStatus.FAILED)).isEmpty();
  }

  /** An exit code, a rule about exit codes, and how many failures that makes. */
  record Exit(int code, String operator, String values, long want) {}

  static final List<Exit> EXITS =
      List.of(
          new Exit(3, "In", "[3]", 0),
          new Exit(4, "In", "[3]", 1),
          new Exit(3, "NotIn", "[3]", 1),
          new Exit(4, "NotIn", "[3]", 0),
          new Exit(0, "NotIn", "[3]", 1));

  @ParameterizedTest
  @FieldSource("EXITS")
  void exitCodesDecideWhetherAFailureCounts(Exit c) {
    world.submit(
        "{podFailurePolicy: {rules: [{action: Ignore, onExitCodes: {operator: %s, values: %s}}]}}"
            .formatted(c.operator(), c.values()));
    world.fail(world.active().getFirst(), c.code());

    assertThat(world.status().failed()).isEqualTo(c.want());
    assertThat(world.active()).as("ignored failures delay the next pod too").isEmpty();

    world.pass(10);

    assertThat(world.active()).hasSize(1);
  }

  @Test
  void aDisruptionIsIgnoredAndItsPodReplacedWhenItHasEnded() {
    world.submit(
        "{backoffLimit: 0, podFailurePolicy: {rules: [{action: Ignore, onPodConditions: [{type:"
            + " DisruptionTarget, status: 'True'}]}]}}");
    world.bind();
    Pod pod = world.active().getFirst();
    disrupt(pod);
    world.cluster.delete(Kinds.POD, world.active().getFirst().object(), Deletion.BACKGROUND);
    world.pass(15);
    assertThat(world.active()).isEmpty();

    world.fail(pod, 143);
    world.pass(10);

    assertThat(world.active()).hasSize(1);
    assertThat(world.status().failed()).isZero();
  }

  private void disrupt(Pod pod) {
    var disrupted =
        new Condition("DisruptionTarget", true, "EvictionByEvictionAPI", "Eviction API: evicting");
    Pod now = new Pod(world.cluster.require(pod.key()));
    world.cluster.patchStatus(
        Kinds.POD, now.object(), disrupted.in(now.object().status(), world.cluster.time().now()));
  }

  @Test
  void aPodThatIsCountedStillFailsTheJobOnceARuleIsAboutIt() {
    world.submit(
        "{parallelism: 2, completions: 2, podFailurePolicy: {rules: [{action: FailJob,"
            + " onPodConditions: [{type: DisruptionTarget, status: 'True'}]}]}}");
    Pod pod = world.active().getFirst();
    world.fail(pod, 1);
    assertThat(world.status().failed()).isEqualTo(1);
    assertThat(world.cluster.require(pod.key()).finalizers()).isEmpty();

    disrupt(pod);
    world.pass(2);

    assertThat(world.reason(JobStatus.FAILED)).isEqualTo("PodFailurePolicy");
    assertThat(world.message(JobStatus.FAILED))
        .isEqualTo(
            "Pod default/%s has condition DisruptionTarget matching FailJob rule at index 0"
                .formatted(pod.name()));
    assertThat(world.status().failed()).as("counted once, and the one that ran").isEqualTo(2);
  }

  @Test
  void aRuleAsksAlsoOfAPodWithoutAnIndexOfTheJob() {
    world.submit(
        "{"
            + INDEXED
            + ", podFailurePolicy: {rules: [{action: FailJob, onExitCodes: {operator: In, values:"
            + " [7]}}]}}");
    Pod pod = world.active(3);
    world.cluster.update(Kinds.POD, pod.object().withAnnotation(JobPod.INDEX, "9"));
    world.fail(pod, 7);

    assertThat(world.reason(JobStatus.FAILED)).isEqualTo("PodFailurePolicy");
    assertThat(world.status().failed()).as("those with an index").isEqualTo(3);
  }

  @Test
  void anIndexHasItsOwnLimitAndDelay() {
    world.submit("{" + INDEXED + ", backoffLimitPerIndex: 1}");
    assertThat(world.status().tree().has("failedIndexes")).isTrue();
    assertThat(world.active(2).object().annotation(JobPod.FAILURES)).isEqualTo("0");
    world.fail(2, 1);
    Pod failed = world.pods().stream().filter(Pod::isTerminal).findFirst().orElseThrow();

    assertThat(world.status().failed()).as("the pod carries the count").isZero();
    assertThat(failed.object().finalizers()).isNotEmpty();

    world.pass(10);

    assertThat(world.active(2).object().annotation(JobPod.FAILURES)).isEqualTo("1");
    assertThat(world.status().failed()).isEqualTo(1);

    world.fail(2, 1);
    world.succeed(0, 1);

    assertThat(world.status().failedIndexes()).isEqualTo("2");
    assertThat(world.activeIndexes()).containsExactly(3L);
    assertThat(world.job().isFinished()).isFalse();

    world.succeed(3);

    assertThat(world.reason(JobStatus.FAILED)).isEqualTo("FailedIndexes");
    assertThat(world.status().completedIndexes()).isEqualTo("0,1,3");
    assertThat(world.status().failed()).isEqualTo(2);
  }

  @Test
  void tooManyFailedIndexesFailTheJob() {
    world.submit("{" + INDEXED + ", backoffLimitPerIndex: 0, maxFailedIndexes: 1}");
    world.fail(0, 1);
    assertThat(world.status().failedIndexes()).isEqualTo("0");
    world.fail(3, 1);

    assertThat(world.reason(JobStatus.FAILED)).isEqualTo("MaxFailedIndexesExceeded");
    assertThat(world.status().failedIndexes()).isEqualTo("0,3");
    assertThat(world.status().failed()).as("all pods of a failed Job").isEqualTo(4);
  }

  @Test
  void aRuleFailsAnIndexAtOnceAndAnIgnoredFailureIsCarriedApart() {
    world.submit(
        "{"
            + INDEXED
            + ", backoffLimitPerIndex: 5, podFailurePolicy: {rules: [{action: FailIndex,"
            + " onExitCodes: {operator: In, values: [7]}}, {action: Ignore, onExitCodes: {operator:"
            + " In, values: [8]}}]}}");
    world.fail(1, 7);
    world.fail(2, 8);
    world.pass(10);

    assertThat(world.status().failedIndexes()).isEqualTo("1");
    assertThat(world.status().failed()).isEqualTo(1);
    assertThat(world.active(2).object().annotation(JobPod.FAILURES)).isEqualTo("0");
    assertThat(world.active(2).object().annotation(JobPod.IGNORED_FAILURES)).isEqualTo("1");
    assertThat(world.activeIndexes()).containsExactly(0L, 2L, 3L);
  }

  /** A rule of a success policy, the indexes that succeed, and whether that is enough. */
  record Rule(String rule, List<Long> succeed, boolean met) {
    @Override
    public String toString() {
      return rule;
    }
  }

  static final List<Rule> RULES =
      List.of(
          new Rule("{succeededCount: 2}", List.of(1L), false),
          new Rule("{succeededCount: 2}", List.of(1L, 3L), true),
          new Rule("{succeededIndexes: '0,2-3'}", List.of(0L, 2L), false),
          new Rule("{succeededIndexes: '0,2-3'}", List.of(0L, 2L, 3L), true),
          new Rule("{succeededIndexes: '0,2-3', succeededCount: 1}", List.of(1L), false),
          new Rule("{succeededIndexes: '0,2-3', succeededCount: 1}", List.of(3L), true),
          new Rule("{succeededCount: 0}", List.of(), false));

  @ParameterizedTest
  @FieldSource("RULES")
  void enoughSuccessesEndTheJobWithoutCountingTheRest(Rule c) {
    world.submit("{" + INDEXED + ", successPolicy: {rules: [" + c.rule() + "]}}");
    c.succeed()
        .forEach(index -> Worlds.setPhase(world.cluster, world.active(index), Pod.Phase.SUCCEEDED));
    world.pass(2);

    assertThat(world.reason(JobStatus.COMPLETE)).isEqualTo(c.met() ? "SuccessPolicy" : "");
    assertThat(world.message(JobStatus.SUCCESS_CRITERIA_MET))
        .isEqualTo(c.met() ? "Matched rules at index 0" : "");
    assertThat(world.status().failed()).isZero();
    assertThat(world.status().succeeded()).isEqualTo(c.succeed().size());
  }

  @Test
  void aJobThatSucceededByItsPolicyWaitsForItsPodsToEnd() {
    world.submit("{" + INDEXED + ", successPolicy: {rules: [{succeededCount: 1}]}}");
    world.bind();
    world.succeed(0);

    assertThat(world.reason(JobStatus.SUCCESS_CRITERIA_MET)).isEqualTo("SuccessPolicy");
    assertThat(world.reason(JobStatus.COMPLETE)).isEmpty();
    assertThat(world.status().terminating()).isEqualTo(3);

    world.pods().stream()
        .filter(Pod::isTerminating)
        .forEach(pod -> world.cluster.delete(Kinds.POD, pod.object(), Deletion.NOW));
    world.pass(2);

    assertThat(world.reason(JobStatus.COMPLETE)).isEqualTo("SuccessPolicy");
    assertThat(world.status().failed()).isZero();
  }

  @Test
  void aFailureBeatsASuccessOfTheSameMoment() {
    world.submit(
        "{" + INDEXED + ", backoffLimit: 0, successPolicy: {rules: [{succeededCount: 1}]}}");
    Worlds.setPhase(world.cluster, world.active(0), Pod.Phase.SUCCEEDED);
    world.fail(1, 1);

    assertThat(world.reason(JobStatus.FAILED)).isEqualTo("BackoffLimitExceeded");
  }
}
