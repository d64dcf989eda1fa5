package dev.sluice.engine.admission;

import static dev.sluice.engine.admission.Job.job;
import static dev.sluice.engine.admission.QueueSketch.queue;
import static dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy.LOWER_PRIORITY;
import static org.assertj.core.api.Assertions.assertThat;

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

/** Who is served when within one queue, who is put aside, and what brings them back. */
class QueueOrderTest {

  @Test
  void priorityThenAgeThenUidDecide() {
    Scene scene =
        Scene.classical(queue("q", 3))
            .waits(
                job("young", "q", 1).since(2),
                job("old-b", "q", 1).since(1),
                job("old-a", "q", 1).since(1),
                job("high", "q", 1).since(3).priority(1));

    assertThat(scene.decide())
        .containsExactly("high f", "old-a f", "old-b f", "young: NO_CANDIDATES");
  }

  @Test
  void aStrictQueueWaitsForItsHead() {
    Scene scene =
        Scene.classical(queue("q", 3).strict())
            .runs(job("running", "q", 2))
            .waits(job("large", "q", 3).since(1), job("small", "q", 1).since(2));

    assertThat(scene.decide()).containsExactly("large: NO_CANDIDATES");
    assertThat(scene.engine.length("q")).isEqualTo(new AdmissionQueues.Length(2, 0));
  }

  @Test
  void otherQueuesServeWhoFitsBehindTheirHead() {
    Scene scene =
        Scene.classical(queue("q", 3))
            .runs(job("running", "q", 2))
            .waits(job("large", "q", 3).since(1), job("small", "q", 1).since(2));

    assertThat(scene.decide()).containsExactly("small f", "large: NO_CANDIDATES");
    assertThat(scene.engine.length("q")).isEqualTo(new AdmissionQueues.Length(1, 1));
  }

  /**
   * Equivalent workloads get the same answer:
   * docs/specification/queueing.md#example-equivalent-workloads.
   */
  @Test
  void workloadsOfTheSameShapeAreParkedAndWokenTogether() {
    Scene scene =
        Scene.classical(queue("q", 3))
            .runs(job("running", "q", 2))
            .waits(job("a", "q", 3).since(1), job("b", "q", 3).since(2));

    assertThat(scene.decide()).containsExactly("a: NO_CANDIDATES");
    assertThat(scene.waits(job("c", "q", 3).since(3)).decide()).isEmpty();
    assertThat(scene.engine.length("q")).isEqualTo(new AdmissionQueues.Length(3, 3));

    assertThat(scene.ends("running").decide()).containsExactly("a f", "b: NO_CANDIDATES");
  }

  @Test
  void anotherPriorityIsAnotherShape() {
    Scene scene = Scene.classical(queue("q", 1)).runs(job("running", "q", 1));
    scene.waits(job("a", "q", 1)).decide();

    assertThat(scene.waits(job("b", "q", 1).priority(1)).decide())
        .containsExactly("b: NO_CANDIDATES");
  }

  @Test
  void whatAChangedWorkloadAsksForIsLookedAtAnew() {
    Scene scene = Scene.classical(queue("q", 3)).runs(job("running", "q", 2));
    assertThat(scene.waits(job("a", "q", 2)).decide()).containsExactly("a: NO_CANDIDATES");

    assertThat(scene.waits(job("a", "q", 1)).decide()).containsExactly("a f");
  }

  @Test
  void quotaGivenBackAnywhereInTheCohortWakesEverybodyThere() {
    Scene scene =
        Scene.classical(queue("a", 1).in("left"), queue("b", 1).in("right"))
            .cohorts(QueueSketch.named("left").in("root"), QueueSketch.named("right").in("root"))
            .runs(job("runs-a", "a", 1), job("runs-b", "b", 1))
            .waits(job("waits", "a", 1));
    assertThat(scene.decide()).containsExactly("waits: NO_CANDIDATES");

    assertThat(scene.ends("runs-b").decide()).containsExactly("waits f");
  }

  @Test
  void aWorkloadThatHoldsLessThanBeforeWakesOthers() {
    Scene scene = Scene.classical(queue("q", 3)).runs(job("running", "q", 3));
    scene.waits(job("waits", "q", 1)).decide();

    assertThat(scene.runs(job("running", "q", 2)).decide()).containsExactly("waits f");
  }

  /**
   * Quota that is freed between two requeues is not missed:
   * docs/specification/queueing.md#quota-that-is-freed-in-between.
   */
  @Test
  void aCohortRestsBetweenTwoLooksAtThoseWhoWait() {
    Scene scene =
        new Scene(AdmissionRules.DEFAULT)
            .queues(queue("q", 2))
            .runs(job("a", "q", 1), job("b", "q", 1))
            .waits(job("c", "q", 1).since(1), job("d", "q", 1).since(2));
    scene.decide();
    assertThat(scene.ends("a").admitted()).containsExactly("c f");

    assertThat(scene.ends("b").decide()).isEmpty();
    Instant next = scene.engine.nextWakeUp().orElseThrow();
    assertThat(next).isEqualTo(Scene.NOW.plus(AdmissionRules.DEFAULT.wakeUpInterval()));
    assertThat(scene.engine.decide(next, 9)).hasSize(1);
    assertThat(scene.engine.nextWakeUp()).isEmpty();
  }

  @Test
  void changedQuotaWakesEverybody() {
    Scene scene = Scene.classical(queue("q", 1)).waits(job("waits", "q", 2));
    assertThat(scene.decide()).containsExactly("waits: NO_FIT");

    assertThat(scene.change(queue("q", 2)).decide()).containsExactly("waits f");
  }

  /** A preemptor stays the head: docs/specification/queueing.md#sticky-preemptor. */
  @Test
  void whoWaitsForItsVictimsStaysInFrontOfHigherPriorities() {
    Scene scene =
        Scene.classical(queue("q", 2).within(LOWER_PRIORITY))
            .runs(job("victim", "q", 2))
            .waits(job("preemptor", "q", 2).priority(1));
    assertThat(scene.decide()).containsExactly("preemptor evicts: victim (InClusterQueue)");

    scene.waits(job("higher", "q", 1).priority(9));
    assertThat(scene.ends("victim").decide())
        .containsExactly("preemptor f", "higher evicts: preemptor (InClusterQueue)");
  }

  @Test
  void aStrictQueueHasNoSuchPrivilege() {
    Scene scene =
        Scene.classical(queue("q", 2).strict().within(LOWER_PRIORITY))
            .runs(job("victim", "q", 2))
            .waits(job("preemptor", "q", 2).priority(1));
    scene.decide();

    scene.waits(job("higher", "q", 1).priority(9));
    assertThat(scene.ends("victim").decide())
        .containsExactly("higher f", "preemptor: NO_CANDIDATES");
  }

  @Test
  void podsThatWouldNeverStartArePutAsideEvenInAStrictQueue() {
    Scene scene = Scene.classical(queue("q", 2).strict()).waits(job("fine", "q", 1));
    PendingWorkload wrong = job("wrong", "q", 1).priority(9).waiting();
    var problem =
        new ResourceProblem.AboveLimit(
            "main[c]", "cpu", Quantity.parse("2").orElseThrow(), Quantity.parse("1").orElseThrow());
    scene.engine.workloadPending(
        new PendingWorkload(
            wrong.namespace(),
            wrong.name(),
            wrong.uid(),
            wrong.owner(),
            wrong.localQueue(),
            wrong.clusterQueue(),
            wrong.priority(),
            wrong.since(),
            wrong.podSets(),
            wrong.replaces(),
            List.of(problem)));

    assertThat(scene.decide()).containsExactly("fine f", "wrong: MISCONFIGURED");
    assertThat(scene.engine.length("q").inadmissible()).isEqualTo(1);

    scene.engine.workloadPending(wrong);
    assertThat(scene.decide()).containsExactly("wrong f");
  }

  /**
   * No selector selects no namespace, and a mismatch blocks no other workload:
   * docs/specification/queueing.md#namespace-selector.
   */
  @Test
  void aNamespaceThatIsNotServedIsPutAsideEvenInAStrictQueue() {
    Scene scene =
        Scene.classical(
                queue("none", 1).strict().serves(Optional.empty()),
                queue("other", 1)
                    .strict()
                    .serves(Optional.of(Tree.of("matchLabels", Tree.of("team", "b")))),
                queue("all", 1).strict())
            .waits(job("a", "none", 1), job("b", "other", 1), job("c", "all", 1));

    assertThat(scene.decide())
        .containsExactly("c f", "a: NAMESPACE_MISMATCH", "b: NAMESPACE_MISMATCH");
    assertThat(scene.engine.length("none").inadmissible()).isEqualTo(1);
  }

  @Test
  void localQueuesTakeTurnsByWhatTheyUsed() {
    Map<String, Integer> used = Map.of("team/much", 9, "team/little", 1);
    var rules = Scene.byUsage(Comparator.comparing(path -> used.getOrDefault(path, 0)));
    Scene scene =
        new Scene(rules)
            .queues(queue("q", 2).byUsage())
            .waits(
                job("first", "q", 1).through("much").priority(5),
                job("second", "q", 1).through("little"),
                job("third", "q", 1).through("nothing").since(7));

    assertThat(scene.decide()).containsExactly("third f", "second f", "first: NO_CANDIDATES");
  }

  /** It stops all others only while it is its turn. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoStaysInFrontMakesWayWhenItIsAnothersTurn(boolean strict) {
    Map<String, Integer> used = new TreeMap<>(Map.of("team/a", 1, "team/b", 2));
    var rules = Scene.byUsage(Comparator.comparing(path -> used.getOrDefault(path, 0)));
    QueueSketch queue = queue("q", 5).byUsage().within(LOWER_PRIORITY);
    Scene scene =
        new Scene(rules)
            .queues(strict ? queue.strict() : queue)
            .runs(job("a0", "q", 3).through("a"))
            .waits(job("a1", "q", 4).through("a").priority(1), job("b1", "q", 2).through("b"));
    assertThat(scene.decide()).containsExactly("a1 evicts: a0 (InClusterQueue)");

    used.put("team/b", 0);
    scene.engine.localQueueUsageChanged("q");

    assertThat(scene.admitted()).containsExactly("b1 f");
  }

  @Test
  void withoutTurnsUsageDoesNotCount() {
    Comparator<String> byName = Comparator.naturalOrder();
    Scene scene =
        new Scene(Scene.byUsage(byName))
            .queues(queue("q", 1))
            .waits(
                job("first", "q", 1).through("z").since(1),
                job("second", "q", 1).through("a").since(2));

    assertThat(scene.admitted()).containsExactly("first f");
  }

  @Test
  void amongCandidatesThoseOfWhoUsedMoreGoFirst() {
    Map<String, Integer> used = Map.of("team/much", 9, "team/little", 1);
    var rules = Scene.byUsage(Comparator.comparing(path -> used.getOrDefault(path, 0)));
    Scene scene =
        new Scene(rules)
            .queues(queue("q", 2).byUsage().within(LOWER_PRIORITY))
            .runs(
                job("low", "q", 1).through("little").priority(1),
                job("mid", "q", 1).through("much").priority(2))
            .waits(job("new", "q", 1).through("nothing").priority(3));

    assertThat(scene.decide()).containsExactly("new evicts: mid (InClusterQueue)");
  }

  /**
   * One admission at a time, with blockAdmission:
   * docs/specification/admission-cycle.md#waiting-for-pods-to-be-ready.
   */
  @Test
  void whileBlockedNothingIsAdmittedBeforeThePodsOfOthersAreReady() {
    Scene scene =
        new Scene(Scene.oneByOne())
            .queues(queue("a", 2), queue("b", 2))
            .waits(job("a1", "a", 1), job("b1", "b", 1));
    assertThat(scene.decide()).containsExactly("a1 f", "b1: PODS_NOT_READY");
    assertThat(scene.decide()).isEmpty();

    scene.engine.podsReady("team/a1", true);
    assertThat(scene.decide()).containsExactly("b1 f");
  }

  @Test
  void whoEndsBeforeItsPodsWereReadyBlocksNobody() {
    Scene scene =
        new Scene(Scene.oneByOne())
            .queues(queue("a", 2), queue("b", 2))
            .waits(job("a1", "a", 1), job("b1", "b", 1));
    scene.decide();

    assertThat(scene.ends("a1").decide()).containsExactly("b1 f");
  }

  @Test
  void whoWaitsForAQueueThatDoesNotExistIsServedWhenItDoes() {
    Scene scene = Scene.classical(queue("other", 1)).waits(job("early", "q", 1));
    assertThat(scene.decide()).isEmpty();
    assertThat(scene.engine.isPending("team/early")).isTrue();

    assertThat(scene.queues(queue("q", 1)).decide()).containsExactly("early f");
    assertThat(scene.engine.isPending("team/early")).isFalse();
  }

  @Test
  void whoFitsInNoRoundOfManyIsToldOnce() {
    Scene scene =
        Scene.classical(queue("q", 2))
            .waits(
                job("a", "q", 1).since(1),
                job("b", "q", 1).since(2),
                job("c", "q", 2).since(3),
                job("d", "q", 9).since(4));

    assertThat(scene.decide()).isEqualTo(List.of("a f", "b f", "c: NO_CANDIDATES", "d: NO_FIT"));
    assertThat(scene.decide()).isEmpty();
  }
}
