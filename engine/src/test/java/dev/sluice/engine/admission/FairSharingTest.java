package dev.sluice.engine.admission;

import static dev.sluice.engine.admission.Job.job;
import static dev.sluice.engine.admission.QueueSketch.named;
import static dev.sluice.engine.admission.QueueSketch.queue;
import static dev.sluice.engine.preemption.PreemptionRules.Strategy.LESS_THAN_INITIAL_SHARE;
import static dev.sluice.engine.preemption.PreemptionRules.Strategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE;
import static dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy.ANY;
import static dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy.LOWER_PRIORITY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.preemption.PreemptionRules;
import dev.sluice.engine.preemption.PreemptionRules.Strategy;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class FairSharingTest {
  private static final List<Strategy> FINAL = List.of(LESS_THAN_OR_EQUAL_TO_FINAL_SHARE);
  private static final List<Strategy> INITIAL = List.of(LESS_THAN_INITIAL_SHARE);
  private static final List<Strategy> BOTH =
      List.of(LESS_THAN_OR_EQUAL_TO_FINAL_SHARE, LESS_THAN_INITIAL_SHARE);

  record Case(String name, List<Strategy> strategies, AdmissionScene scene, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static AdmissionScene scene(List<Strategy> strategies, QueueSketch... queues) {
    return new AdmissionScene(AdmissionScene.fairRules(strategies, true)).queues(queues);
  }

  /** The queue {@code b} has borrowed all that the cohort has: six gpus in workloads of a size. */
  private static AdmissionScene borrowed(List<Strategy> strategies, QueueSketch queue, int size) {
    AdmissionScene scene =
        scene(strategies, queue, queue("b", 0).in("r")).cohorts(named("r").has("f", "gpu", 6));
    for (int i = 0; i * size < 6; i++) {
      scene.runs(job("b" + i, "b", size).reservedAt(i));
    }
    return scene;
  }

  private static AdmissionScene borrowedWithoutWeight() {
    AdmissionScene scene =
        scene(FINAL, poor().weight(0), queue("b", 0).in("r").weight(0))
            .cohorts(named("r").has("f", "gpu", 6));
    for (int i = 0; i < 6; i++) {
      scene.runs(job("b" + i, "b", 1).reservedAt(i));
    }
    return scene;
  }

  private static QueueSketch poor() {
    return queue("q", 0).in("r").reclaims(ANY);
  }

  static final List<Case> CASES =
      List.of(
          new Case(
              "up to the same share",
              FINAL,
              borrowed(FINAL, poor(), 1).pending(job("new", "q", 3)),
              "new evicts: b5, b4, b3"),
          new Case(
              "no more than that",
              FINAL,
              borrowed(FINAL, poor(), 1).pending(job("new", "q", 4)),
              ""),
          new Case(
              "beyond it if less than the other had",
              INITIAL,
              borrowed(INITIAL, poor(), 1).pending(job("new", "q", 3)),
              "new evicts: b5, b4, b3"),
          new Case(
              "a large one stays if that leaves its owner with less",
              FINAL,
              borrowed(FINAL, poor(), 6).pending(job("new", "q", 1)),
              ""),
          new Case(
              "unless the second strategy lets it go",
              BOTH,
              borrowed(BOTH, poor(), 6).pending(job("new", "q", 1)),
              "new evicts: b0"),
          new Case(
              "a higher weight makes the share smaller",
              FINAL,
              borrowed(FINAL, poor().weight(2000), 1).pending(job("new", "q", 4)),
              "new evicts: b5, b4, b3, b2"),
          new Case(
              "without weight nothing is taken from a queue that has one",
              BOTH,
              borrowed(BOTH, poor().weight(0), 1).pending(job("new", "q", 1)),
              ""),
          new Case(
              "own quota is taken back whatever the shares",
              FINAL,
              borrowed(FINAL, queue("q", 2).in("r").weight(0).reclaims(ANY), 2)
                  .runs(job("b3", "b", 2).reservedAt(3))
                  .pending(job("new", "q", 2)),
              "new evicts: b3"),
          new Case(
              "own workloads go by priority",
              FINAL,
              scene(FINAL, queue("q", 2).within(LOWER_PRIORITY))
                  .runs(job("own", "q", 2))
                  .pending(job("new", "q", 1).priority(1)),
              "new evicts: own"),
          new Case(
              "never, unless the queue says so",
              BOTH,
              borrowed(BOTH, queue("q", 0).in("r"), 1).pending(job("new", "q", 1)),
              ""),
          new Case(
              "the queue with the highest share has the victim",
              FINAL,
              scene(FINAL, poor(), queue("b", 0).in("r"), queue("c", 0).in("r"))
                  .cohorts(named("r").has("f", "gpu", 6))
                  .runs(
                      job("b1", "b", 1).reservedAt(1),
                      job("b2", "b", 1).reservedAt(9),
                      job("c1", "c", 2).reservedAt(1),
                      job("c2", "c", 2).reservedAt(2))
                  .pending(job("new", "q", 1)),
              "new evicts: c2"),
          new Case(
              "of equal shares the queue with the first candidate",
              FINAL,
              scene(FINAL, poor(), queue("b", 0).in("r"), queue("c", 0).in("r"))
                  .cohorts(named("r").has("f", "gpu", 4))
                  .runs(
                      job("b1", "b", 1).reservedAt(1),
                      job("b2", "b", 1).reservedAt(2),
                      job("c1", "c", 1).reservedAt(3),
                      job("c2", "c", 1).reservedAt(4))
                  .pending(job("new", "q", 1)),
              "new evicts: c2"),
          new Case(
              "without weight something is taken from a queue without one that borrows more",
              FINAL,
              borrowedWithoutWeight().pending(job("new", "q", 3)),
              "new evicts: b5, b4, b3"),
          new Case(
              "shares are compared where the branches meet",
              FINAL,
              scene(FINAL, poor().in("left"), queue("l", 0).in("left"), queue("b", 0).in("right"))
                  .cohorts(
                      named("left").in("root"),
                      named("right").in("root"),
                      named("root").has("f", "gpu", 6))
                  .runs(
                      job("l1", "l", 1).reservedAt(4),
                      job("l2", "l", 1).reservedAt(5),
                      job("b1", "b", 2).reservedAt(1),
                      job("b2", "b", 2).reservedAt(2))
                  .pending(job("new", "q", 1)),
              "new evicts: l2"));

  /**
   * Shares include the incoming workload, and are compared where the branches meet:
   * docs/specification/preemption.md#fair-preemption, with the numbers of
   * docs/specification/preemption.md#example-up-to-the-same-share and
   * docs/specification/preemption.md#example-where-the-branches-meet.
   */
  @ParameterizedTest
  @FieldSource("CASES")
  void sharesDecideTheVictims(Case c) {
    assertThat(String.join("; ", c.scene.preempting())).isEqualTo(c.want);
  }

  @Test
  void sharesDecideReclaimOfOwnQuotaWithoutThatRule() {
    AdmissionScene scene =
        new AdmissionScene(AdmissionScene.fairRules(FINAL, false))
            .queues(queue("q", 2).in("r").reclaims(ANY), queue("b", 0).in("r"))
            .runs(job("b1", "b", 2))
            .pending(job("new", "q", 2));

    assertThat(scene.decide()).containsExactly("new evicts: b1 (InCohortFairSharing)");
  }

  @Test
  void lowestShareIsProcessedFirst() {
    AdmissionScene scene =
        AdmissionScene.fair(
                queue("a", 0).in("r"), queue("b", 0).in("r"), queue("c", 0).in("r").weight(4000))
            .cohorts(named("r").has("f", "gpu", 7))
            .pending(
                job("a1", "a", 2).since(1).priority(9),
                job("b1", "b", 1).since(2),
                job("c1", "c", 3).since(3));

    assertThat(scene.decide()).containsExactly("c1 f", "b1 f", "a1 f");
  }

  @Test
  void entryWithinQuotaPrecedesBorrower() {
    AdmissionScene scene =
        AdmissionScene.fair(queue("a", 0).in("r").weight(9000), queue("b", 1).in("r"))
            .cohorts(named("r").has("f", "gpu", 1))
            .pending(job("a1", "a", 2).priority(5), job("b1", "b", 1));

    assertThat(scene.admitted()).containsExactly("b1 f");
  }

  /**
   * The tournament is played again after each entry:
   * docs/specification/fair-sharing.md#example-shares-change-with-every-admission.
   */
  @Test
  void sharesChangeWithEveryAdmission() {
    AdmissionScene scene =
        AdmissionScene.fair(queue("a", 0).in("r"), queue("b", 0).in("r"))
            .cohorts(named("r").has("f", "gpu", 6));
    Stream.of(1, 2, 3, 4)
        .forEach(
            i -> scene.pending(job("a" + i, "a", 1).since(i), job("b" + i, "b", 1).since(10 + i)));

    assertThat(scene.admitted()).containsExactly("a1 f", "b1 f", "a2 f", "b2 f", "a3 f", "b3 f");
  }

  @Test
  void branchesCompeteBeforeTheQueuesInThem() {
    AdmissionScene scene =
        AdmissionScene.fair(
                queue("a", 0).in("left"), queue("b", 0).in("left"), queue("c", 0).in("right"))
            .cohorts(
                named("left").in("root"),
                named("right").in("root"),
                named("root").has("f", "gpu", 4))
            .runs(job("a0", "a", 2))
            .pending(job("b1", "b", 1).priority(9), job("c1", "c", 2), job("b2", "b", 1));

    assertThat(scene.admitted()).containsExactly("c1 f");
  }

  @Test
  void queueNamedLikeACohortStaysOutsideIt() {
    AdmissionScene scene =
        AdmissionScene.fair(queue("a", 1).in("x").strict(), queue("x", 10))
            .pending(job("a1", "a", 5), job("x1", "x", 1));

    assertThat(scene.decide()).containsExactly("x1 f", "a1: NO_FIT");
    assertThat(scene.pending(job("a0", "a", 1).priority(1), job("x2", "x", 1)).admitted())
        .containsExactlyInAnyOrder("a0 f", "x2 f");
  }

  @Test
  void queuesWithoutWeightAreComparedByBorrowing() {
    AdmissionScene scene =
        AdmissionScene.fair(queue("a", 0).in("r").weight(0), queue("b", 0).in("r").weight(0))
            .cohorts(named("r").has("f", "gpu", 3))
            .pending(job("a1", "a", 2).priority(9), job("b1", "b", 1));

    assertThat(scene.admitted()).containsExactly("b1 f", "a1 f");
  }

  /**
   * Usage orders the workloads of one queue, and priority those of two: over all candidates that
   * may run in a circle, which must not matter.
   */
  @Test
  void localQueueUsageAndSharesCombine() {
    var rules = new PreemptionRules(BOTH, true, Duration.ZERO, Comparator.naturalOrder());
    for (long seed = 0; seed < 100; seed++) {
      var random = new SplittableRandom(seed);
      AdmissionScene scene =
          new AdmissionScene(AdmissionScene.with(rules, false))
              .queues(
                  queue("q", 50).in("r").reclaims(ANY),
                  queue("a", 0).in("r"),
                  queue("b", 0).in("r"))
              .cohorts(named("r").has("f", "gpu", 50));
      for (int i = 0; i < 100; i++) {
        scene.runs(
            job("j" + i, i % 2 == 0 ? "a" : "b", 1)
                .through("lq" + random.nextInt(9))
                .priority(random.nextInt(9)));
      }

      assertThat(scene.pending(job("new", "q", 9)).preempting())
          .singleElement()
          .asString()
          .startsWith("new evicts: ");
    }
  }

  /**
   * By usage w1 goes before w2, by priority w2 before those of b, and those before w1: in a circle,
   * so that an order of all would put w2 first, or not, by which others there are.
   */
  @Test
  void candidatesAreOrderedQueueByQueueWhereUsageCounts() {
    Comparator<String> byUsage = Comparator.comparingInt(path -> path.equals("team/much") ? 9 : 1);
    var rules = new PreemptionRules(INITIAL, true, Duration.ZERO, byUsage);
    AdmissionScene scene =
        new AdmissionScene(AdmissionScene.with(rules, false))
            .queues(poor(), queue("b", 0).in("r"), queue("c", 0).in("r"))
            .cohorts(named("r").has("f", "gpu", 20))
            .runs(
                job("b1", "b", 1).priority(3).reservedAt(4),
                job("b2", "b", 1).priority(3).reservedAt(3),
                job("b3", "b", 1).priority(3).reservedAt(2),
                job("b4", "b", 1).priority(9),
                job("w1", "c", 8).through("much").priority(5),
                job("w2", "c", 8).through("little").priority(1));

    assertThat(scene.pending(job("new", "q", 2)).preempting()).containsExactly("new evicts: w1");
  }
}
