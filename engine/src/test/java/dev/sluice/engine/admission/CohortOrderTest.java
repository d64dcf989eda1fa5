package dev.sluice.engine.admission;

import static dev.sluice.engine.admission.Job.job;
import static dev.sluice.engine.admission.QueueSketch.named;
import static dev.sluice.engine.admission.QueueSketch.queue;
import static dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy.LOWER_PRIORITY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.admission.cycle.AdmissionRules;
import dev.sluice.engine.flavor.FlavorRules;
import dev.sluice.engine.preemption.PreemptionRules;
import dev.sluice.engine.quota.FlavorResource;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** In which order the heads of several queues are served, without fair sharing. */
class CohortOrderTest {

  @Test
  void whoBorrowsLessComesFirst() {
    Scene scene =
        Scene.classical(queue("a", 0).in("r"), queue("b", 2).in("r"))
            .waits(job("a1", "a", 1).priority(9), job("b1", "b", 2));

    assertThat(scene.admitted()).containsExactly("b1 f");
  }

  @Test
  void whoBorrowsNearbyComesBeforeWhoBorrowsFarAway() {
    Scene scene =
        Scene.classical(queue("a", 0).in("left"), queue("b", 0).in("right"))
            .cohorts(
                named("left").in("root"),
                named("right").in("root").has("f", "gpu", 1),
                named("root"))
            .waits(job("a1", "a", 1).priority(9), job("b1", "b", 1));

    assertThat(scene.admitted()).containsExactly("b1 f");
  }

  @Test
  void thenPriorityThenAge() {
    Scene scene =
        Scene.classical(queue("a", 0).in("r"), queue("b", 0).in("r"), queue("c", 0).in("r"))
            .cohorts(named("r").has("f", "gpu", 2))
            .waits(
                job("a1", "a", 1).since(2),
                job("b1", "b", 1).since(1),
                job("c1", "c", 1).since(3).priority(1));

    assertThat(scene.admitted()).containsExactly("c1 f", "b1 f");
  }

  @Test
  void ageAloneWherePriorityDoesNotCountAmongQueues() {
    var rules =
        new AdmissionRules(
            FlavorRules.DEFAULT,
            PreemptionRules.CLASSICAL,
            true,
            false,
            false,
            false,
            true,
            workload -> {},
            Duration.ZERO);
    Scene scene =
        new Scene(rules)
            .queues(queue("a", 0).in("r"), queue("b", 0).in("r"))
            .cohorts(named("r").has("f", "gpu", 1))
            .waits(job("a1", "a", 1).since(1), job("b1", "b", 1).since(2).priority(9));

    assertThat(scene.admitted()).containsExactly("a1 f");
  }

  @Test
  void whoWaitsForVictimsComesFirstWhereThatIsTheRule() {
    Scene usual = preemptorAndRival(false);
    Scene preemptorsFirst = preemptorAndRival(true);

    assertThat(usual.ends("victim").admitted()).containsExactly("rival f");
    assertThat(preemptorsFirst.ends("victim").admitted()).containsExactly("preemptor f");
  }

  /** Somebody else came into the place of its victim, and does not give way to it. */
  @Test
  void whoNobodyGivesWayToAnyMoreDoesNotComeFirst() {
    Scene scene = preemptorAndRival(true);

    scene.ends("victim").runs(job("stranger", "a", 1).priority(9));

    assertThat(scene.decide()).containsExactly("rival f", "preemptor: NO_CANDIDATES");
  }

  private static Scene preemptorAndRival(boolean preemptorsFirst) {
    Scene scene =
        new Scene(Scene.with(PreemptionRules.CLASSICAL, preemptorsFirst))
            .queues(
                queue("a", 1).in("r").strict().within(LOWER_PRIORITY).whileBorrowing(),
                queue("b", 1).in("r"))
            .runs(job("victim", "a", 2))
            .waits(job("preemptor", "a", 2).priority(5));
    assertThat(scene.decide()).containsExactly("preemptor evicts: victim (InClusterQueue)");
    return scene.waits(job("rival", "b", 1).priority(9));
  }

  @Test
  void severalQueuesOfACohortBorrowInOneDecision() {
    Scene scene =
        Scene.classical(queue("a", 0).in("r"), queue("b", 0).in("r"), queue("c", 0).in("r"))
            .cohorts(named("r").has("f", "gpu", 5))
            .waits(
                job("a1", "a", 2).since(1), job("b1", "b", 2).since(2), job("c1", "c", 2).since(3));

    assertThat(scene.decide()).containsExactly("a1 f", "b1 f", "c1: NO_FIT");
  }

  @Test
  void aQuotaCutBelowWhatIsUsedLeavesNothingToOthers() {
    Scene scene =
        Scene.classical(queue("a", 5).in("r"), queue("b", 1).in("r"))
            .runs(job("a1", "a", 5))
            .waits(job("b1", "b", 1));

    scene.change(queue("a", 3).in("r"));
    assertThat(scene.admitted()).isEmpty();
    assertThat(
            scene
                .engine
                .ledger()
                .tree()
                .queue("b")
                .orElseThrow()
                .available(new FlavorResource("f", "gpu")))
        .isZero();
  }

  @Test
  void cohortsInACircleAdmitNobodyUntilItIsBroken() {
    Scene scene =
        Scene.classical(queue("a", 1).in("x"))
            .cohorts(named("x").in("y"), named("y").in("x"))
            .waits(job("a1", "a", 1));
    assertThat(scene.decide()).isEmpty();

    assertThat(scene.change(queue("a", 1).in("z")).admitted()).containsExactly("a1 f");
  }

  /** Its quota stays in the tree: docs/specification/quota.md#inactive-clusterqueues. */
  @Test
  void anInactiveQueueAdmitsNobodyButItsQuotaIsLent() {
    Scene scene =
        Scene.classical(queue("a", 2).in("r").inactive(), queue("b", 0).in("r"))
            .waits(job("a1", "a", 1), job("b1", "b", 2));

    assertThat(scene.decide()).containsExactly("b1 f");
  }

  @Test
  void decisionsStopAtTheMostThatIsWanted() {
    Scene scene =
        Scene.classical(queue("a", 2))
            .waits(job("a1", "a", 1).since(1), job("a2", "a", 1).since(2));

    assertThat(scene.engine.decide(Scene.NOW, 1)).hasSize(1);
    assertThat(scene.admitted()).containsExactly("a2 f");
  }
}
