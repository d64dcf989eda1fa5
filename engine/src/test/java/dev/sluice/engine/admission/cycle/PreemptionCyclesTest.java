package dev.sluice.engine.admission.cycle;

import static dev.sluice.engine.admission.Job.job;
import static dev.sluice.engine.admission.QueueSketch.named;
import static dev.sluice.engine.admission.QueueSketch.queue;
import static dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy.ANY;
import static dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy.LOWER_PRIORITY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.admission.AdmissionScene;
import dev.sluice.engine.admission.Job;
import dev.sluice.engine.admission.QueueSketch;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What a preemption under way, or a head without victims, means for other entries. */
class PreemptionCyclesTest {
  @Test
  void preemptorAloneGetsTheQuotaOfItsVictims() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("q", 4).in("r").reclaims(ANY), queue("b", 0).in("r"))
            .runs(job("b1", "b", 2), job("b2", "b", 2))
            .pending(job("new", "q", 4), job("b3", "b", 2).priority(9));
    assertThat(scene.decide())
        .containsExactly(
            "new evicts: b1 (InCohortReclamation), b2 (InCohortReclamation)", "b3: NO_FIT");

    assertThat(scene.ends("b1").decide()).containsExactly("b3: SKIPPED", "new: PREEMPTING");
    assertThat(scene.ends("b2").admitted()).containsExactly("new f");
  }

  @Test
  void victimThatWasNotEvictedIsPreemptedAgain() {
    Job victim = job("low", "q", 2);
    AdmissionScene scene =
        AdmissionScene.classical(queue("q", 2).within(LOWER_PRIORITY))
            .runs(victim)
            .pending(job("new", "q", 1).priority(1));
    assertThat(scene.preempting()).containsExactly("new evicts: low");

    scene.runs(victim);

    assertThat(scene.engine.nextRequeue()).isPresent();
    assertThat(scene.preempting()).containsExactly("new evicts: low");
  }

  /** Else two workloads that get each other's quota in turn would go on forever. */
  @Test
  void victimIsNotPreemptedTwiceBeforeAWorkloadLeaves() {
    Job victim = job("low", "q", 2);
    AdmissionScene scene =
        AdmissionScene.classical(
                queue("q", 2).borrows(0).in("r").within(LOWER_PRIORITY), queue("p", 1).in("r"))
            .runs(victim, job("old", "p", 1))
            .pending(job("new", "q", 1).priority(1));
    assertThat(scene.preempting()).containsExactly("new evicts: low");

    scene.pending(victim).runs(victim); // it was preempted, and got its quota back before any other

    assertThat(scene.decide()).containsExactly("new: NO_CANDIDATES");
    assertThat(scene.ends("old").preempting()).containsExactly("new evicts: low");
  }

  /** Shares may not take what others have a right to, each time that these have taken it back. */
  @Test
  void victimTakesNothingByItsShareBeforeAWorkloadLeaves() {
    AdmissionScene scene =
        AdmissionScene.fair(
                queue("a", 1).in("r").reclaims(ANY),
                queue("b", 0).in("r").reclaims(ANY),
                queue("c", 0).in("r"),
                queue("p", 1).lends(0).in("r"))
            .cohorts(named("r").has("f", "gpu", 2))
            .runs(job("b1", "b", 2), job("c1", "c", 1), job("old", "p", 1))
            .pending(job("a1", "a", 1));
    assertThat(scene.preempting()).containsExactly("a1 evicts: b1");

    scene.pending(job("b1", "b", 1)).runs(job("c2", "c", 1)); // by shares one of c should go

    assertThat(scene.decide()).containsExactly("a1 f", "b1: NO_CANDIDATES");
    assertThat(scene.ends("old").preempting()).containsExactly("b1 evicts: c1");
  }

  @Test
  void victimHasOnePreemptor() {
    AdmissionScene scene =
        AdmissionScene.classical(
                queue("a", 2).in("r").reclaims(ANY),
                queue("b", 2).in("r").reclaims(ANY),
                queue("c", 0).in("r"))
            .runs(job("c1", "c", 4))
            .pending(job("a1", "a", 2).since(1), job("b1", "b", 2).since(2));

    assertThat(scene.decide())
        .containsExactly("a1 evicts: c1 (InCohortReclamation)", "b1: OVERLAPPING_VICTIMS");
    assertThat(scene.ends("c1").decide()).containsExactly("a1 f", "b1 f");
  }

  /** In Kueue b1 gets a part of it, and is evicted by a2 in the next cycle. */
  @Test
  void borrowerWaitsForTheReclaimingQueue() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("a", 2).in("r").reclaims(ANY), queue("b", 0).in("r"))
            .pending(job("a1", "a", 1), job("a2", "a", 1), job("b1", "b", 1).priority(9));

    assertThat(scene.decide()).containsExactly("a1 f", "a2 f", "b1: NO_FIT");
  }

  @Test
  void quotaThatItsQueueLeavesIsBorrowedAtOnce() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("a", 4).in("r").reclaims(ANY), queue("b", 0).in("r"))
            .pending(job("a1", "a", 1), job("a2", "a", 1), job("b1", "b", 1), job("b2", "b", 1))
            .pending(job("b3", "b", 1));

    assertThat(scene.decide()).containsExactly("a1 f", "a2 f", "b1 f", "b2 f", "b3: NO_FIT");
  }

  @Test
  void queueWithoutReclaimHasNoPrecedence() {
    AdmissionScene scene =
        AdmissionScene.classical(
                queue("a", 2).in("r").reclaims(LOWER_PRIORITY), queue("b", 0).in("r"))
            .pending(job("a1", "a", 1), job("a2", "a", 1), job("b1", "b", 1).priority(9));

    assertThat(scene.decide()).startsWith("a1 f", "b1 f");
  }

  /**
   * An entry that finds no victims is not starved by others:
   * docs/specification/admission-cycle.md#example-reserved-quota.
   */
  @Test
  void headWithoutVictimsReservesQuotaForTheCycle() {
    AdmissionScene scene =
        AdmissionScene.classical(
                queue("a", 3).in("r").strict().reclaims(LOWER_PRIORITY), queue("b", 0).in("r"))
            .runs(job("b1", "b", 2).priority(9))
            .pending(job("a1", "a", 3).priority(5), job("b2", "b", 1).priority(1));

    assertThat(scene.decide()).containsExactly("a1: NO_CANDIDATES", "b2: SKIPPED");

    scene.engine.workloadLeft("team/a1");

    assertThat(scene.decide()).containsExactly("b2 f");
  }

  /** It tried its other flavor too, and was inadmissible there. */
  @Test
  void skippedEntryThatBecameInadmissibleInAnotherFlavorIsTriedAgain() {
    AdmissionScene scene =
        AdmissionScene.classical(
                queue("a", 3).in("r").strict().reclaims(LOWER_PRIORITY),
                queue("b", 0).has("g", "gpu", 1).in("r"))
            .runs(job("b1", "b", 2).priority(9))
            .runs("g", job("b0", "b", 1).priority(9))
            .pending(job("a1", "a", 3).priority(5), job("b2", "b", 1).priority(1));

    assertThat(scene.decide()).doesNotContain("b2 f");

    scene.engine.workloadLeft("team/a1");

    assertThat(scene.decide()).containsExactly("b2 f");
  }

  /** Only heads reserve quota, and the new one can never fit. */
  @Test
  void skippedEntryFitsOnceTheReservingHeadIsOvertaken() {
    AdmissionScene scene =
        AdmissionScene.classical(
                queue("a", 3).in("r").strict().reclaims(LOWER_PRIORITY),
                queue("b", 0).has("g", "gpu", 1).in("r"))
            .runs(job("b1", "b", 2).priority(9))
            .runs("g", job("b0", "b", 1).priority(9))
            .pending(job("a1", "a", 3).priority(5), job("b2", "b", 1).priority(1));
    assertThat(scene.admitted()).isEmpty();

    scene.pending(job("huge", "a", 9).priority(7));

    assertThat(scene.admitted()).containsExactly("b2 f");
  }

  /** How one that keeps quota from others may stop doing so. */
  record Way(String name, Consumer<AdmissionScene> ends) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Way> WAYS =
      List.of(
          new Way("it leaves", scene -> scene.engine.workloadLeft("team/a1")),
          new Way("it is admitted elsewhere", scene -> scene.runs(job("a1", "c", 1))),
          new Way("it goes to another queue", scene -> scene.pending(job("a1", "c", 9))),
          new Way("it goes to no queue", scene -> scene.pending(job("a1", "nowhere", 3))),
          new Way(
              "it asks for as much as an inadmissible one",
              scene -> scene.pending(job("a1", "a", 9))),
          new Way("its queue stops", scene -> scene.change(reclaiming().inactive())));

  private static QueueSketch reclaiming() {
    return queue("a", 3).in("r").reclaims(ANY);
  }

  @ParameterizedTest
  @FieldSource("WAYS")
  void skippedEntryFitsOnceThePreemptorIsGone(Way way) {
    AdmissionScene scene =
        AdmissionScene.classical(reclaiming(), queue("b", 0).in("r"), queue("c", 1))
            .runs(job("b1", "b", 2))
            .pending(job("huge", "a", 9));
    assertThat(scene.decide()).containsExactly("huge: NO_FIT");
    scene.pending(job("a1", "a", 3), job("b2", "b", 1));
    assertThat(scene.decide())
        .containsExactly("a1 evicts: b1 (InCohortReclamation)", "b2: SKIPPED");

    way.ends().accept(scene);

    assertThat(scene.decide()).contains("b2 f");
  }

  /** In Kueue every return of quota requeues it, and it reserves quota in vain once more. */
  @Test
  void blockedHeadReservesNothingWhenQuotaComesBack() {
    AdmissionScene scene =
        AdmissionScene.classical(
                queue("a", 4).in("r").reclaims(LOWER_PRIORITY), queue("b", 0).in("r"))
            .runs(job("b1", "b", 2).priority(9), job("b2", "b", 1).priority(9))
            .pending(job("a1", "a", 4).priority(5));
    assertThat(scene.decide()).containsExactly("a1: NO_CANDIDATES");

    scene.ends("b2").pending(job("b3", "b", 2).priority(1));

    assertThat(scene.decide()).containsExactly("b3 f", "a1: NO_CANDIDATES");
    assertThat(scene.ends("b1", "b3").decide()).containsExactly("a1 f");
  }

  /** It uses one of three and may borrow one, so it may have three more, not the four it wants. */
  @Test
  void headReservesNoMoreThanItMayUse() {
    AdmissionScene scene =
        AdmissionScene.classical(
                queue("a", 3).borrows(1).in("r").strict().reclaims(LOWER_PRIORITY).whileBorrowing(),
                queue("b", 0).in("r"))
            .cohorts(named("r").has("f", "gpu", 4))
            .runs(job("a0", "a", 1).priority(9), job("b1", "b", 2).priority(9))
            .pending(job("a1", "a", 4).priority(5), job("b2", "b", 1).priority(1));

    assertThat(scene.decide()).containsExactlyInAnyOrder("b2 f", "a1: NO_CANDIDATES");
  }

  @Test
  void headThatReclaimsFromAllReservesNothing() {
    AdmissionScene scene =
        AdmissionScene.classical(
                queue("a", 3).in("r").strict().reclaims(ANY), queue("b", 0).in("r"))
            .runs(job("a0", "a", 2).priority(9))
            .pending(job("a1", "a", 3).priority(5), job("b2", "b", 1).priority(1));

    assertThat(scene.decide()).containsExactly("b2 f", "a1: NO_CANDIDATES");
  }

  @Test
  void headThatStaysReclaimsWhatWasBorrowedMeanwhile() {
    AdmissionScene scene =
        AdmissionScene.classical(
                queue("a", 3).in("r").strict().reclaims(ANY), queue("b", 0).in("r").strict())
            .runs(job("a0", "a", 1).priority(9))
            .pending(job("b1", "b", 2).priority(7), job("a1", "a", 2).priority(5));

    assertThat(scene.decide()).containsExactly("a1 f", "b1: NO_FIT");
  }
}
