package dev.sluice.engine.admission;

import static dev.sluice.engine.admission.Job.job;
import static dev.sluice.engine.admission.QueueSketch.named;
import static dev.sluice.engine.admission.QueueSketch.queue;
import static dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy.LOWER_PRIORITY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sluice.engine.admission.Explanation.Holder;
import dev.sluice.engine.admission.Explanation.Limit;
import dev.sluice.engine.admission.Explanation.NoPreemption;
import dev.sluice.engine.admission.Explanation.NoPreemption.Obstacle;
import dev.sluice.engine.admission.Explanation.Shortage;
import dev.sluice.engine.admission.Explanation.State;
import dev.sluice.engine.queue.NoFitReason;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.model.Amounts;
import dev.sluice.model.core.node.Taint;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class ExplanationTest {
  private static final FlavorResource GPU = new FlavorResource("f", "gpu");

  @Test
  void explanationNamesTheQuotaOfAQueueWithoutCohort() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("q", 5))
            .runs(job("a", "q", 3), job("b", "q", 1))
            .pending(job("new", "q", 3));

    assertThat(shortage(scene))
        .isEqualTo(
            new Shortage(GPU, 3, 2, 5, Limit.QUEUE_QUOTA, "q", List.of(new Holder("q", 4, 2)), 0));
  }

  @Test
  void explanationNamesTheBorrowingLimitOfTheQueue() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("q", 1).borrows(2).in("r"), queue("b", 9).in("r"))
            .runs(job("a", "q", 2), job("b1", "b", 1))
            .pending(job("new", "q", 2));

    assertThat(shortage(scene))
        .isEqualTo(
            new Shortage(
                GPU, 2, 1, 3, Limit.BORROWING_LIMIT, "q", List.of(new Holder("q", 2, 1)), 0));
  }

  @Test
  void explanationNamesTheBorrowingLimitOfACohort() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("q", 1).in("left"), queue("b", 9).in("root"))
            .cohorts(named("left").in("root").has("f", "gpu", 0).borrows(1))
            .runs(job("b1", "b", 1))
            .pending(job("new", "q", 3));

    assertThat(shortage(scene))
        .isEqualTo(new Shortage(GPU, 3, 1, 2, Limit.BORROWING_LIMIT, "left", List.of(), 0));
  }

  @Test
  void explanationNamesTheLargestHoldersOfACohort() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("q", 0).in("r")).cohorts(named("r").has("f", "gpu", 28));
    for (int i = 1; i <= 7; i++) {
      scene.queues(queue("b" + i, 0).in("r")).runs(job("j" + i, "b" + i, i));
    }

    assertThat(shortage(scene.pending(job("new", "q", 2))))
        .isEqualTo(
            new Shortage(
                GPU,
                2,
                2,
                28,
                Limit.COHORT_QUOTA,
                "r",
                List.of(
                    new Holder("b7", 7, 1),
                    new Holder("b6", 6, 1),
                    new Holder("b5", 5, 1),
                    new Holder("b4", 4, 1),
                    new Holder("b3", 3, 1)),
                3));
  }

  @Test
  void eachFlavorHasItsOwnObstacles() {
    var taint = new Taint("spot", "yes", Taint.NO_SCHEDULE);
    AdmissionScene scene =
        AdmissionScene.classical(
                named("q").has("spot", "gpu", 9).has("missing", "gpu", 9).has("f", "gpu", 9))
            .flavor("spot", new TreeMap<>(), List.of(taint))
            .pending(
                Job.empty("new", "q")
                    .pods("a", 1, Amounts.of("gpu", 5))
                    .pods("b", 1, Amounts.of("gpu", 5).plus(Amounts.of("disk", 1))));

    Explanation why = explain(scene);

    assertThat(why.podSets().getFirst().flavors())
        .extracting(flavor -> flavor.flavor() + " " + flavor.fits())
        .containsExactly("spot false", "missing false", "f true");
    assertThat(why.podSets().getFirst().flavors().getFirst().obstacles())
        .containsExactly(new NoFitReason.Untolerated("spot", taint));
    assertThat(why.podSets().getLast().uncovered())
        .containsExactly(new NoFitReason.NotCovered("disk"));
    assertThat(why.podSets().getLast().flavors().getLast().shortages())
        .extracting(Shortage::requested, Shortage::missing)
        .containsExactly(tuple(10L, 1L));
  }

  @Test
  void explanationCountsWorkloadsAheadOfAnInadmissibleOne() {
    AdmissionScene scene = AdmissionScene.classical(queue("q", 1)).runs(job("running", "q", 1));
    for (int i = 0; i < 7; i++) {
      scene.pending(job("j" + i, "q", 1).since(i));
    }
    scene.pending(job("new", "q", 1).since(99));
    assertThat(explain(scene).state()).isEqualTo(State.PENDING);

    scene.decide();
    Explanation why = explain(scene);
    assertThat(why.state()).isEqualTo(State.INADMISSIBLE);
    assertThat(why.ahead()).isEqualTo(7);
    assertThat(why.firstAhead())
        .containsExactly("team/j0", "team/j1", "team/j2", "team/j3", "team/j4");
  }

  @Test
  void explanationNamesTheVictims() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("q", 2).within(LOWER_PRIORITY))
            .runs(job("a", "q", 1), job("b", "q", 1))
            .pending(job("new", "q", 2).priority(1));
    scene.decide();
    scene.ends("a");

    assertThat(explain(scene).state()).isEqualTo(State.PREEMPTING);
    assertThat(explain(scene).waitsFor())
        .extracting(target -> target.victim().name())
        .containsExactly("b");
  }

  @Test
  void headOfAStrictQueueNamesTheWorkloadsThatItBlocks() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("q", 2).strict().within(LOWER_PRIORITY))
            .runs(job("a", "q", 1).priority(5))
            .pending(job("new", "q", 2).since(1), job("next", "q", 1).since(2));
    assertThat(explain(scene).blocked()).as("before it was tried").isZero();

    scene.decide();

    Explanation why = explain(scene);
    assertThat(why.blocked()).isEqualTo(1);
    assertThat(why.firstBlocked()).containsExactly("team/next");
    assertThat(why.preemption()).contains(new NoPreemption(Obstacle.NO_CANDIDATES, 0));
  }

  record PreemptionCase(String name, AdmissionScene scene, Optional<NoPreemption> want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<PreemptionCase> PREEMPTION_CASES =
      List.of(
          new PreemptionCase(
              "the policies are Never",
              AdmissionScene.classical(queue("q", 2)).runs(job("a", "q", 2)),
              Optional.of(new NoPreemption(Obstacle.POLICY_NEVER, 0))),
          new PreemptionCase(
              "the priority of all others is higher",
              AdmissionScene.classical(queue("q", 2).within(LOWER_PRIORITY))
                  .runs(job("a", "q", 2).priority(9)),
              Optional.of(new NoPreemption(Obstacle.NO_CANDIDATES, 0))),
          new PreemptionCase(
              "one victim would not be enough",
              AdmissionScene.classical(queue("q", 2).within(LOWER_PRIORITY))
                  .runs(job("a", "q", 1), job("b", "q", 1).priority(9)),
              Optional.of(new NoPreemption(Obstacle.TOO_LITTLE, 1))),
          new PreemptionCase(
              "the queue could never run it",
              AdmissionScene.classical(queue("q", 1)),
              Optional.empty()));

  @ParameterizedTest
  @FieldSource("PREEMPTION_CASES")
  void explanationSaysWhyPreemptionDoesNotHelp(PreemptionCase test) {
    test.scene.pending(job("new", "q", 2).priority(1));
    test.scene.decide();

    assertThat(explain(test.scene).preemption()).isEqualTo(test.want);
  }

  @Test
  void explanationNamesANamespaceMismatch() {
    AdmissionScene none = AdmissionScene.classical(queue("other", 1)).pending(job("new", "q", 1));
    AdmissionScene inactive =
        AdmissionScene.classical(queue("q", 1).inactive()).pending(job("new", "q", 1));
    AdmissionScene elsewhere =
        AdmissionScene.classical(queue("q", 1).serves(Optional.empty()))
            .pending(job("new", "q", 1));

    assertThat(List.of(explain(none), explain(inactive), explain(elsewhere)))
        .extracting(Explanation::state)
        .containsExactly(State.NO_QUEUE, State.QUEUE_INACTIVE, State.NAMESPACE_MISMATCH);
  }

  @Test
  void workloadThatIsNotPendingHasNoExplanation() {
    AdmissionScene scene = AdmissionScene.classical(queue("q", 1)).runs(job("running", "q", 1));

    assertThat(scene.engine.explain("team/running")).isEmpty();
    assertThat(scene.engine.explain("team/unknown")).isEmpty();
  }

  @Test
  void explainingChangesNothing() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("q", 2).within(LOWER_PRIORITY))
            .runs(job("a", "q", 2))
            .pending(job("new", "q", 2).priority(1));

    Explanation first = explain(scene);

    assertThat(explain(scene)).isEqualTo(first);
    assertThat(Invariants.violations(scene.engine)).isEmpty();
    assertThat(scene.decide()).containsExactly("new evicts: a (InClusterQueue)");
  }

  private static Explanation explain(AdmissionScene scene) {
    return scene.engine.explain("team/new").orElseThrow();
  }

  private static Shortage shortage(AdmissionScene scene) {
    return explain(scene).podSets().getFirst().flavors().getFirst().shortages().getFirst();
  }
}
