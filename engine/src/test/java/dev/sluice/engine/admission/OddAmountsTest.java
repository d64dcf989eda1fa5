package dev.sluice.engine.admission;

import static dev.sluice.engine.admission.Job.job;
import static dev.sluice.engine.admission.QueueSketch.named;
import static dev.sluice.engine.admission.QueueSketch.queue;
import static dev.sluice.model.Amounts.UNLIMITED;
import static dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy.ANY;
import static dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy.LOWER_PRIORITY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.model.Amounts;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Requests of nothing, and requests and quotas that no integer can count. */
class OddAmountsTest {

  /** Its queue uses three cpus, of which one is its own, and takes back gpus that it lent. */
  @Test
  void zeroRequestOfABorrowedResourceAllowsReclaim() {
    AdmissionScene scene =
        AdmissionScene.classical(
                queue("q", 2).has("f", "cpu", 1).in("r").reclaims(ANY),
                queue("b", 0).has("f", "cpu", 4).in("r"))
            .runs(
                Job.empty("borrows", "q").pods("main", 1, Amounts.of("cpu", 3)),
                job("lent", "b", 2).priority(9))
            .pending(
                Job.empty("new", "q")
                    .pods("main", 1, Amounts.of("gpu", 2).plus(Amounts.of("cpu", 0))));

    assertThat(scene.decide()).containsExactly("new evicts: lent (InCohortReclamation)");
  }

  record Case(String name, AdmissionScene scene) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final Job ENDLESS = job("endless", "q", UNLIMITED).priority(9);

  static final List<Case> WITHOUT_LIMIT =
      List.of(
          new Case("own quota without limit", AdmissionScene.classical(queue("q", UNLIMITED))),
          new Case(
              "quota without limit to borrow",
              AdmissionScene.classical(queue("q", 0).in("r"))
                  .cohorts(named("r").has("f", "gpu", UNLIMITED))),
          new Case(
              "others to evict",
              AdmissionScene.classical(queue("q", UNLIMITED).within(LOWER_PRIORITY))
                  .runs(job("low", "q", 5))));

  @ParameterizedTest
  @FieldSource("WITHOUT_LIMIT")
  void uncountableRequestNeverFitsAndBlocksNothing(Case c) {
    c.scene.pending(ENDLESS, job("modest", "q", 3));

    assertThat(c.scene.decide()).containsExactly("modest f", "endless: NO_FIT");
    assertThat(c.scene.ends("modest").pending(job("next", "q", 3)).decide())
        .containsExactly("next f");
  }

  @Test
  void uncountableRequestIsExplained() {
    AdmissionScene scene = AdmissionScene.classical(queue("q", UNLIMITED)).pending(ENDLESS);

    assertThat(scene.engine.decide(AdmissionScene.NOW, 9))
        .singleElement()
        .isInstanceOfSatisfying(
            AdmissionDecision.Pending.class,
            wait ->
                assertThat(wait.reason().message())
                    .contains("insufficient quota for gpu in flavor f")
                    .endsWith("> maximum capacity (9223372036854775807)"));
  }

  @Test
  void podSetsWithAnUncountableSumDoNotFit() {
    long half = UNLIMITED / 2 + 1;
    AdmissionScene scene =
        AdmissionScene.classical(queue("q", UNLIMITED))
            .pending(
                Job.empty("endless", "q")
                    .pods("a", 1, Amounts.of("gpu", half))
                    .pods("b", 1, Amounts.of("gpu", half)));

    assertThat(scene.decide()).containsExactly("endless: NO_FIT");
  }

  private static final Job NEARLY_ENDLESS = job("h", "q", UNLIMITED - 1).priority(9);

  static final List<Case> NEARLY_WITHOUT_LIMIT =
      List.of(
          new Case(
              "a reserve",
              AdmissionScene.classical(queue("q", UNLIMITED).in("r"), queue("b", 0).in("r"))
                  .runs(job("r1", "q", 5))),
          new Case(
              "a preemption",
              AdmissionScene.classical(
                      queue("q", UNLIMITED).in("r").within(LOWER_PRIORITY), queue("b", 0).in("r"))
                  .runs(job("r1", "q", 5), job("r2", "q", UNLIMITED / 2))),
          new Case(
              "a share",
              AdmissionScene.fair(
                      queue("q", UNLIMITED).in("r").reclaims(LOWER_PRIORITY),
                      queue("b", 0).in("r").weight(500))
                  .runs(job("r1", "q", 5), job("r2", "b", UNLIMITED / 2))),
          new Case(
              "what others say they hold",
              AdmissionScene.classical(
                      queue("q", 9).in("r").within(ANY), queue("b", 3).lends(1).in("r"))
                  .runs(job("r1", "q", UNLIMITED), job("r2", "q", UNLIMITED))
                  .runs(job("r3", "b", UNLIMITED), job("r4", "b", 2))));

  @ParameterizedTest
  @FieldSource("NEARLY_WITHOUT_LIMIT")
  void countsNeverOverflow(Case c) {
    c.scene.pending(NEARLY_ENDLESS, job("b1", "b", 1)).decide();
    c.scene.ends("r1").decide();
    c.scene.engine.workloadLeft("team/h");
    c.scene.ends("r2", "r3", "r4", "h");

    assertThat(c.scene.pending(job("b2", "b", 1)).admitted()).contains("b2 f");
  }
}
