package dev.sluice.engine.admission.pending;

import static dev.sluice.engine.admission.Job.job;
import static dev.sluice.engine.admission.QueueSketch.queue;
import static dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy.LOWER_PRIORITY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.admission.AdmissionScene;
import dev.sluice.engine.admission.QueueSketch;
import dev.sluice.engine.admission.cycle.AdmissionRules;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.requests.ResourceProblem;
import dev.sluice.model.Quantity;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order within one queue, which workloads are inadmissible, and what requeues them. */
class PendingQueueTest {

  @Test
  void priorityThenAgeThenUidDecide() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("q", 3))
            .pending(
                job("young", "q", 1).since(2),
                job("old-b", "q", 1).since(1),
                job("old-a", "q", 1).since(1),
                job("high", "q", 1).since(3).priority(1));

    assertThat(scene.decide())
        .containsExactly("high f", "old-a f", "old-b f", "young: NO_CANDIDATES");
  }

  @Test
  void strictQueueWaitsForItsHead() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("q", 3).strict())
            .runs(job("running", "q", 2))
            .pending(job("large", "q", 3).since(1), job("small", "q", 1).since(2));

    assertThat(scene.decide()).containsExactly("large: NO_CANDIDATES");
    assertThat(scene.engine.lengths().of("q")).isEqualTo(new QueueLength(2, 0));
  }

  @Test
  void bestEffortQueueAdmitsBehindItsHead() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("q", 3))
            .runs(job("running", "q", 2))
            .pending(job("large", "q", 3).since(1), job("small", "q", 1).since(2));

    assertThat(scene.decide()).containsExactly("small f", "large: NO_CANDIDATES");
    assertThat(scene.engine.lengths().of("q")).isEqualTo(new QueueLength(1, 1));
  }

  /**
   * Equivalent workloads get the same answer:
   * docs/specification/queueing.md#example-equivalent-workloads.
   */
  @Test
  void equivalentWorkloadsAreInadmissibleAndRequeuedTogether() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("q", 3))
            .runs(job("running", "q", 2))
            .pending(job("a", "q", 3).since(1), job("b", "q", 3).since(2));

    assertThat(scene.decide()).containsExactly("a: NO_CANDIDATES");
    assertThat(scene.pending(job("c", "q", 3).since(3)).decide()).isEmpty();
    assertThat(scene.engine.lengths().of("q")).isEqualTo(new QueueLength(3, 3));

    assertThat(scene.ends("running").decide()).containsExactly("a f", "b: NO_CANDIDATES");
  }

  @Test
  void priorityIsPartOfTheEquivalenceKey() {
    AdmissionScene scene = AdmissionScene.classical(queue("q", 1)).runs(job("running", "q", 1));
    scene.pending(job("a", "q", 1)).decide();

    assertThat(scene.pending(job("b", "q", 1).priority(1)).decide())
        .containsExactly("b: NO_CANDIDATES");
  }

  @Test
  void changedWorkloadIsTriedAgain() {
    AdmissionScene scene = AdmissionScene.classical(queue("q", 3)).runs(job("running", "q", 2));
    assertThat(scene.pending(job("a", "q", 2)).decide()).containsExactly("a: NO_CANDIDATES");

    assertThat(scene.pending(job("a", "q", 1)).decide()).containsExactly("a f");
  }

  @Test
  void releasedQuotaRequeuesTheWholeCohort() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("a", 1).in("left"), queue("b", 1).in("right"))
            .cohorts(QueueSketch.named("left").in("root"), QueueSketch.named("right").in("root"))
            .runs(job("runs-a", "a", 1), job("runs-b", "b", 1))
            .pending(job("waits", "a", 1));
    assertThat(scene.decide()).containsExactly("waits: NO_CANDIDATES");

    assertThat(scene.ends("runs-b").decide()).containsExactly("waits f");
  }

  @Test
  void smallerReservationRequeuesOthers() {
    AdmissionScene scene = AdmissionScene.classical(queue("q", 3)).runs(job("running", "q", 3));
    scene.pending(job("waits", "q", 1)).decide();

    assertThat(scene.runs(job("running", "q", 2)).decide()).containsExactly("waits f");
  }

  /**
   * Quota that is freed between two requeues is not missed:
   * docs/specification/queueing.md#quota-that-is-freed-in-between.
   */
  @Test
  void cohortIsRequeuedAtMostOnceAnInterval() {
    AdmissionScene scene =
        new AdmissionScene(AdmissionRules.DEFAULT)
            .queues(queue("q", 2))
            .runs(job("a", "q", 1), job("b", "q", 1))
            .pending(job("c", "q", 1).since(1), job("d", "q", 1).since(2));
    scene.decide();
    assertThat(scene.ends("a").admitted()).containsExactly("c f");

    assertThat(scene.ends("b").decide()).isEmpty();
    Instant next = scene.engine.nextRequeue().orElseThrow();
    assertThat(next).isEqualTo(AdmissionScene.NOW.plus(AdmissionRules.DEFAULT.requeueInterval()));
    assertThat(scene.engine.decide(next, 9)).hasSize(1);
    assertThat(scene.engine.nextRequeue()).isEmpty();
  }

  @Test
  void changedQuotaRequeuesAllWorkloads() {
    AdmissionScene scene = AdmissionScene.classical(queue("q", 1)).pending(job("waits", "q", 2));
    assertThat(scene.decide()).containsExactly("waits: NO_FIT");

    assertThat(scene.change(queue("q", 2)).decide()).containsExactly("waits f");
  }

  /** A preemptor stays the head: docs/specification/queueing.md#sticky-preemptor. */
  @Test
  void preemptorStaysBeforeHigherPriorities() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("q", 2).within(LOWER_PRIORITY))
            .runs(job("victim", "q", 2))
            .pending(job("preemptor", "q", 2).priority(1));
    assertThat(scene.decide()).containsExactly("preemptor evicts: victim (InClusterQueue)");

    scene.pending(job("higher", "q", 1).priority(9));
    assertThat(scene.ends("victim").decide())
        .containsExactly("preemptor f", "higher evicts: preemptor (InClusterQueue)");
  }

  @Test
  void strictQueueDoesNotKeepItsPreemptorInFront() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("q", 2).strict().within(LOWER_PRIORITY))
            .runs(job("victim", "q", 2))
            .pending(job("preemptor", "q", 2).priority(1));
    scene.decide();

    scene.pending(job("higher", "q", 1).priority(9));
    assertThat(scene.ends("victim").decide())
        .containsExactly("higher f", "preemptor: NO_CANDIDATES");
  }

  @Test
  void misconfiguredWorkloadIsInadmissibleEvenInAStrictQueue() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("q", 2).strict()).pending(job("fine", "q", 1));
    PendingWorkload wrong = job("wrong", "q", 1).priority(9).pending();
    var problem =
        new ResourceProblem.AboveLimit(
            "main[c]", "cpu", Quantity.parse("2").orElseThrow(), Quantity.parse("1").orElseThrow());
    scene.engine.workloadPending(
        new PendingWorkload(
            wrong.identity(),
            wrong.owner(),
            wrong.queues(),
            wrong.precedence(),
            wrong.podSets(),
            wrong.replaces(),
            List.of(problem),
            Optional.empty(),
            true));

    assertThat(scene.decide()).containsExactly("fine f", "wrong: MISCONFIGURED");
    assertThat(scene.engine.lengths().of("q").inadmissible()).isEqualTo(1);

    scene.engine.workloadPending(wrong);
    assertThat(scene.decide()).containsExactly("wrong f");
  }

  /**
   * No selector selects no namespace, and a mismatch blocks no other workload:
   * docs/specification/queueing.md#namespace-selector.
   */
  @Test
  void unselectedNamespaceIsInadmissibleEvenInAStrictQueue() {
    AdmissionScene scene =
        AdmissionScene.classical(
                queue("none", 1).strict().serves(Optional.empty()),
                queue("other", 1)
                    .strict()
                    .serves(Optional.of(Tree.of("matchLabels", Tree.of("team", "b")))),
                queue("all", 1).strict())
            .pending(job("a", "none", 1), job("b", "other", 1), job("c", "all", 1));

    assertThat(scene.decide())
        .containsExactly("c f", "a: NAMESPACE_MISMATCH", "b: NAMESPACE_MISMATCH");
    assertThat(scene.engine.lengths().of("none").inadmissible()).isEqualTo(1);
  }

  @Test
  void localQueuesTakeTurnsByUsage() {
    Map<String, Integer> used = Map.of("team/much", 9, "team/little", 1);
    var rules = AdmissionScene.byUsage(Comparator.comparing(path -> used.getOrDefault(path, 0)));
    AdmissionScene scene =
        new AdmissionScene(rules)
            .queues(queue("q", 2).byUsage())
            .pending(
                job("first", "q", 1).through("much").priority(5),
                job("second", "q", 1).through("little"),
                job("third", "q", 1).through("nothing").since(7));

    assertThat(scene.decide()).containsExactly("third f", "second f", "first: NO_CANDIDATES");
  }

  /** It stops all others only while it is its turn. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void headYieldsToALocalQueueWithLessUsage(boolean strict) {
    Map<String, Integer> used = new TreeMap<>(Map.of("team/a", 1, "team/b", 2));
    var rules = AdmissionScene.byUsage(Comparator.comparing(path -> used.getOrDefault(path, 0)));
    QueueSketch queue = queue("q", 5).byUsage().within(LOWER_PRIORITY);
    AdmissionScene scene =
        new AdmissionScene(rules)
            .queues(strict ? queue.strict() : queue)
            .runs(job("a0", "q", 3).through("a"))
            .pending(job("a1", "q", 4).through("a").priority(1), job("b1", "q", 2).through("b"));
    assertThat(scene.decide()).containsExactly("a1 evicts: a0 (InClusterQueue)");

    used.put("team/b", 0);
    scene.engine.localQueueUsageChanged("q");

    assertThat(scene.admitted()).containsExactly("b1 f");
  }

  @Test
  void usageDoesNotCountWithoutTurns() {
    Comparator<String> byName = Comparator.naturalOrder();
    AdmissionScene scene =
        new AdmissionScene(AdmissionScene.byUsage(byName))
            .queues(queue("q", 1))
            .pending(
                job("first", "q", 1).through("z").since(1),
                job("second", "q", 1).through("a").since(2));

    assertThat(scene.admitted()).containsExactly("first f");
  }

  @Test
  void candidatesOfTheLocalQueueWithMoreUsageComeFirst() {
    Map<String, Integer> used = Map.of("team/much", 9, "team/little", 1);
    var rules = AdmissionScene.byUsage(Comparator.comparing(path -> used.getOrDefault(path, 0)));
    AdmissionScene scene =
        new AdmissionScene(rules)
            .queues(queue("q", 2).byUsage().within(LOWER_PRIORITY))
            .runs(
                job("low", "q", 1).through("little").priority(1),
                job("mid", "q", 1).through("much").priority(2))
            .pending(job("new", "q", 1).through("nothing").priority(3));

    assertThat(scene.decide()).containsExactly("new evicts: mid (InClusterQueue)");
  }

  /**
   * One admission at a time, with blockAdmission:
   * docs/specification/admission-cycle.md#waiting-for-pods-to-be-ready.
   */
  @Test
  void admissionBlocksUntilPodsOfOthersAreReady() {
    AdmissionScene scene =
        new AdmissionScene(AdmissionScene.blockUntilPodsReady())
            .queues(queue("a", 2), queue("b", 2))
            .pending(job("a1", "a", 1), job("b1", "b", 1));
    assertThat(scene.decide()).containsExactly("a1 f", "b1: PODS_NOT_READY");
    assertThat(scene.decide()).isEmpty();

    scene.engine.podsReady("team/a1", true);
    assertThat(scene.decide()).containsExactly("b1 f");
  }

  @Test
  void workloadThatEndsBeforeItsPodsAreReadyBlocksNothing() {
    AdmissionScene scene =
        new AdmissionScene(AdmissionScene.blockUntilPodsReady())
            .queues(queue("a", 2), queue("b", 2))
            .pending(job("a1", "a", 1), job("b1", "b", 1));
    scene.decide();

    assertThat(scene.ends("a1").decide()).containsExactly("b1 f");
  }

  @Test
  void workloadWithoutQueueIsAdmittedOnceTheQueueExists() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("other", 1)).pending(job("early", "q", 1));
    assertThat(scene.decide()).isEmpty();
    assertThat(scene.engine.isPending("team/early")).isTrue();

    assertThat(scene.queues(queue("q", 1)).decide()).containsExactly("early f");
    assertThat(scene.engine.isPending("team/early")).isFalse();
  }

  @Test
  void workloadThatFitsInNoCycleHasOneDecision() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("q", 2))
            .pending(
                job("a", "q", 1).since(1),
                job("b", "q", 1).since(2),
                job("c", "q", 2).since(3),
                job("d", "q", 9).since(4));

    assertThat(scene.decide()).isEqualTo(List.of("a f", "b f", "c: NO_CANDIDATES", "d: NO_FIT"));
    assertThat(scene.decide()).isEmpty();
  }
}
