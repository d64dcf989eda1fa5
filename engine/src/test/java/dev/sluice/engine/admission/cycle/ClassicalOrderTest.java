package dev.sluice.engine.admission.cycle;

import static dev.sluice.engine.admission.Job.job;
import static dev.sluice.engine.admission.QueueSketch.named;
import static dev.sluice.engine.admission.QueueSketch.queue;
import static dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy.LOWER_PRIORITY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.admission.AdmissionScene;
import dev.sluice.engine.flavor.FlavorRules;
import dev.sluice.engine.preemption.PreemptionRules;
import dev.sluice.engine.quota.FlavorResource;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The order in which the heads of several queues are processed, without fair sharing. */
class ClassicalOrderTest {

  @Test
  void entryWithinQuotaPrecedesBorrower() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("a", 0).in("r"), queue("b", 2).in("r"))
            .pending(job("a1", "a", 1).priority(9), job("b1", "b", 2));

    assertThat(scene.admitted()).containsExactly("b1 f");
  }

  @Test
  void nearBorrowerPrecedesFarBorrower() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("a", 0).in("left"), queue("b", 0).in("right"))
            .cohorts(
                named("left").in("root"),
                named("right").in("root").has("f", "gpu", 1),
                named("root"))
            .pending(job("a1", "a", 1).priority(9), job("b1", "b", 1));

    assertThat(scene.admitted()).containsExactly("b1 f");
  }

  @Test
  void priorityThenAgeOrderEqualBorrowers() {
    AdmissionScene scene =
        AdmissionScene.classical(
                queue("a", 0).in("r"), queue("b", 0).in("r"), queue("c", 0).in("r"))
            .cohorts(named("r").has("f", "gpu", 2))
            .pending(
                job("a1", "a", 1).since(2),
                job("b1", "b", 1).since(1),
                job("c1", "c", 1).since(3).priority(1));

    assertThat(scene.admitted()).containsExactly("c1 f", "b1 f");
  }

  @Test
  void ageAloneOrdersWithoutPrioritySorting() {
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
    AdmissionScene scene =
        new AdmissionScene(rules)
            .queues(queue("a", 0).in("r"), queue("b", 0).in("r"))
            .cohorts(named("r").has("f", "gpu", 1))
            .pending(job("a1", "a", 1).since(1), job("b1", "b", 1).since(2).priority(9));

    assertThat(scene.admitted()).containsExactly("a1 f");
  }

  @Test
  void preemptorPrecedesOthersWhereTheRuleSaysSo() {
    AdmissionScene usual = preemptorAndRival(false);
    AdmissionScene preemptorsFirst = preemptorAndRival(true);

    assertThat(usual.ends("victim").admitted()).containsExactly("rival f");
    assertThat(preemptorsFirst.ends("victim").admitted()).containsExactly("preemptor f");
  }

  /** Another workload got the quota of its victim, and cannot be preempted by it. */
  @Test
  void preemptorWithoutVictimsHasNoPrecedence() {
    AdmissionScene scene = preemptorAndRival(true);

    scene.ends("victim").runs(job("stranger", "a", 1).priority(9));

    assertThat(scene.decide()).containsExactly("rival f", "preemptor: NO_CANDIDATES");
  }

  private static AdmissionScene preemptorAndRival(boolean preemptorsFirst) {
    AdmissionScene scene =
        new AdmissionScene(AdmissionScene.with(PreemptionRules.CLASSICAL, preemptorsFirst))
            .queues(
                queue("a", 1).in("r").strict().within(LOWER_PRIORITY).whileBorrowing(),
                queue("b", 1).in("r"))
            .runs(job("victim", "a", 2))
            .pending(job("preemptor", "a", 2).priority(5));
    assertThat(scene.decide()).containsExactly("preemptor evicts: victim (InClusterQueue)");
    return scene.pending(job("rival", "b", 1).priority(9));
  }

  @Test
  void severalQueuesOfACohortBorrowInOneDecision() {
    AdmissionScene scene =
        AdmissionScene.classical(
                queue("a", 0).in("r"), queue("b", 0).in("r"), queue("c", 0).in("r"))
            .cohorts(named("r").has("f", "gpu", 5))
            .pending(
                job("a1", "a", 2).since(1), job("b1", "b", 2).since(2), job("c1", "c", 2).since(3));

    assertThat(scene.decide()).containsExactly("a1 f", "b1 f", "c1: NO_FIT");
  }

  @Test
  void quotaCutBelowUsageLeavesNothingToOthers() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("a", 5).in("r"), queue("b", 1).in("r"))
            .runs(job("a1", "a", 5))
            .pending(job("b1", "b", 1));

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
  void cohortCycleAdmitsNothingUntilItIsBroken() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("a", 1).in("x"))
            .cohorts(named("x").in("y"), named("y").in("x"))
            .pending(job("a1", "a", 1));
    assertThat(scene.decide()).isEmpty();

    assertThat(scene.change(queue("a", 1).in("z")).admitted()).containsExactly("a1 f");
  }

  /** Its quota stays in the tree: docs/specification/quota.md#inactive-clusterqueues. */
  @Test
  void inactiveQueueAdmitsNothingButLendsItsQuota() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("a", 2).in("r").inactive(), queue("b", 0).in("r"))
            .pending(job("a1", "a", 1), job("b1", "b", 2));

    assertThat(scene.decide()).containsExactly("b1 f");
  }

  @Test
  void decisionsStopAtTheLimit() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("a", 2))
            .pending(job("a1", "a", 1).since(1), job("a2", "a", 1).since(2));

    assertThat(scene.engine.decide(AdmissionScene.NOW, 1)).hasSize(1);
    assertThat(scene.admitted()).containsExactly("a2 f");
  }
}
