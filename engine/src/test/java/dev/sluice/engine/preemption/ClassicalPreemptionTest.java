package dev.sluice.engine.preemption;

import static dev.sluice.engine.admission.Job.job;
import static dev.sluice.engine.admission.QueueSketch.named;
import static dev.sluice.engine.admission.QueueSketch.queue;
import static dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy.ANY;
import static dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy.LOWER_OR_NEWER_EQUAL_PRIORITY;
import static dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy.LOWER_PRIORITY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.admission.AdmissionScene;
import dev.sluice.engine.admission.QueueSketch;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Who gives way by priority, and to whom what was borrowed must be given back. */
class ClassicalPreemptionTest {
  record Case(String name, AdmissionScene scene, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** The queue {@code q} holds all its four gpus in four workloads of the priorities 1 to 4. */
  private static AdmissionScene full(QueueSketch queue) {
    return AdmissionScene.classical(queue)
        .runs(
            job("one", "q", 1).priority(1),
            job("two", "q", 1).priority(2),
            job("three", "q", 1).priority(3).since(5),
            job("four", "q", 1).priority(4));
  }

  static final List<Case> WITHIN_QUEUE =
      List.of(
          new Case(
              "never, unless the queue says so",
              full(queue("q", 4)).pending(job("new", "q", 1).priority(9)),
              "new: NO_CANDIDATES"),
          new Case(
              "the lowest priority goes first",
              full(queue("q", 4).within(LOWER_PRIORITY)).pending(job("new", "q", 1).priority(9)),
              "new evicts: one (InClusterQueue)"),
          new Case(
              "as many as needed",
              full(queue("q", 4).within(LOWER_PRIORITY)).pending(job("new", "q", 3).priority(9)),
              "new evicts: one (InClusterQueue), two (InClusterQueue), three (InClusterQueue)"),
          new Case(
              "nobody of the same priority",
              full(queue("q", 4).within(LOWER_PRIORITY)).pending(job("new", "q", 3).priority(3)),
              "new: NO_CANDIDATES"),
          new Case(
              "newer ones of the same priority",
              full(queue("q", 4).within(LOWER_OR_NEWER_EQUAL_PRIORITY))
                  .pending(job("new", "q", 3).priority(3).since(4)),
              "new evicts: one (InClusterQueue), two (InClusterQueue), three (InClusterQueue)"),
          new Case(
              "but not older ones",
              full(queue("q", 4).within(LOWER_OR_NEWER_EQUAL_PRIORITY))
                  .pending(job("new", "q", 3).priority(3).since(5)),
              "new: NO_CANDIDATES"),
          new Case(
              "nobody if that would not help",
              full(queue("q", 4).within(LOWER_PRIORITY)).pending(job("new", "q", 4).priority(3)),
              "new: NO_CANDIDATES"),
          new Case(
              "who was admitted last goes first",
              AdmissionScene.classical(queue("q", 2).within(LOWER_PRIORITY))
                  .runs(job("early", "q", 1).reservedAt(1), job("late", "q", 1).reservedAt(2))
                  .pending(job("new", "q", 1).priority(1)),
              "new evicts: late (InClusterQueue)"),
          new Case(
              "of those who differ in nothing the first by uid",
              AdmissionScene.classical(queue("q", 2).within(LOWER_PRIORITY))
                  .runs(job("b", "q", 1), job("a", "q", 1))
                  .pending(job("new", "q", 1).priority(1)),
              "new evicts: a (InClusterQueue)"),
          new Case(
              "nobody who uses another flavor",
              AdmissionScene.classical(queue("q", 1).has("g", "gpu", 1).within(LOWER_PRIORITY))
                  .runs(job("low", "q", 1).priority(1))
                  .runs("g", job("lowest", "q", 1))
                  .pending(job("new", "q", 1).priority(2)),
              "new evicts: low (InClusterQueue)"),
          new Case(
              "who goes anyway goes before all others, and is not told again",
              AdmissionScene.classical(queue("q", 2).within(LOWER_PRIORITY))
                  .runs(job("low", "q", 1), job("leaving", "q", 1).priority(1).alreadyEvicted())
                  .pending(job("new", "q", 1).priority(2)),
              "new: PREEMPTING"),
          new Case(
              "who need not go after all stays",
              AdmissionScene.classical(queue("q", 6).within(LOWER_PRIORITY))
                  .runs(job("small", "q", 1).priority(1), job("large", "q", 5).priority(2))
                  .pending(job("new", "q", 4).priority(9)),
              "new evicts: large (InClusterQueue)"));

  static final List<Case> WITHIN_COHORT =
      List.of(
          new Case(
              "own quota is taken back from who borrows it",
              lent(queue("q", 4).in("r").reclaims(ANY)).pending(job("new", "q", 3)),
              "new evicts: b3 (InCohortReclamation), b1 (InCohortReclamation)"),
          new Case(
              "from lower priorities only",
              lent(queue("q", 4).in("r").reclaims(LOWER_PRIORITY)).pending(job("new", "q", 3)),
              "new: NO_CANDIDATES"),
          new Case(
              "never, unless the queue says so",
              lent(queue("q", 4).in("r")).pending(job("new", "q", 3).priority(9)),
              "new: NO_CANDIDATES"),
          new Case(
              "strangers go before own workloads",
              AdmissionScene.classical(
                      queue("q", 4).in("r").within(LOWER_PRIORITY).reclaims(ANY),
                      queue("b", 2).in("r"))
                  .runs(job("own", "q", 2), job("borrows", "b", 4).priority(7))
                  .pending(job("new", "q", 2).priority(1)),
              "new evicts: borrows (InCohortReclamation)"),
          new Case(
              "but own ones that go anyway go before strangers",
              AdmissionScene.classical(
                      queue("q", 4).in("r").within(LOWER_PRIORITY).reclaims(ANY),
                      queue("b", 2).in("r"))
                  .runs(job("own", "q", 2).alreadyEvicted(), job("borrows", "b", 4).priority(7))
                  .pending(job("new", "q", 2).priority(1)),
              "new: PREEMPTING"),
          new Case(
              "nobody who stays within quota",
              AdmissionScene.classical(queue("q", 2).in("r").reclaims(ANY), queue("b", 2).in("r"))
                  .runs(job("b1", "b", 2), job("own", "q", 1))
                  .pending(job("new", "q", 2)),
              "new: NO_CANDIDATES"),
          new Case(
              "no more of a queue than it borrows",
              AdmissionScene.classical(
                      queue("q", 4).in("r").reclaims(ANY),
                      queue("b", 2).in("r"),
                      queue("c", 2).in("r"))
                  .runs(
                      job("b1", "b", 2),
                      job("b2", "b", 1).reservedAt(3),
                      job("c1", "c", 2).reservedAt(1),
                      job("c2", "c", 3).reservedAt(2))
                  .pending(job("new", "q", 4)),
              "new evicts: b2 (InCohortReclamation), c2 (InCohortReclamation)"),
          new Case(
              "no strangers for more than the own quota",
              AdmissionScene.classical(queue("q", 1).in("r").reclaims(ANY), queue("b", 3).in("r"))
                  .runs(job("b1", "b", 4))
                  .pending(job("new", "q", 2).priority(9)),
              "new: NO_FIT"),
          new Case(
              "unless it may preempt while borrowing: lower priorities",
              borrowing(queue("q", 2).in("r").reclaims(ANY).whileBorrowing(), 0)
                  .pending(job("new", "q", 3).priority(1)),
              "new evicts: b2 (InCohortReclaimWhileBorrowing)"),
          new Case(
              "while borrowing nobody of the same priority",
              borrowing(queue("q", 2).in("r").reclaims(ANY).whileBorrowing(), 1)
                  .pending(job("new", "q", 3).priority(1)),
              "new: NO_CANDIDATES"),
          new Case(
              "while borrowing nobody above the threshold",
              borrowing(queue("q", 2).in("r").reclaims(ANY).whileBorrowingUpTo(4), 5)
                  .pending(job("new", "q", 3).priority(9)),
              "new: NO_CANDIDATES"),
          new Case(
              "while borrowing those at the threshold",
              borrowing(queue("q", 2).in("r").reclaims(ANY).whileBorrowingUpTo(5), 5)
                  .pending(job("new", "q", 3).priority(9)),
              "new evicts: b2 (InCohortReclaimWhileBorrowing)"),
          new Case(
              "an inactive queue's workloads count but cannot be evicted",
              AdmissionScene.classical(
                      queue("q", 4).in("r").reclaims(ANY), queue("b", 2).in("r").inactive())
                  .runs(job("b1", "b", 4))
                  .pending(job("new", "q", 3)),
              "new: NO_CANDIDATES"),
          new Case(
              "own quota, from a queue of another branch",
              AdmissionScene.classical(
                      queue("q", 4).in("left").reclaims(ANY), queue("b", 0).in("right"))
                  .cohorts(named("left").in("root"), named("right").in("root"))
                  .runs(job("b1", "b", 4))
                  .pending(job("new", "q", 4)),
              "new evicts: b1 (InCohortReclamation)"),
          new Case(
              "quota of the own branch is taken back from another branch by right",
              AdmissionScene.classical(
                      queue("q", 1).in("left").reclaims(ANY),
                      queue("sister", 3).in("left"),
                      queue("b", 0).in("right"))
                  .cohorts(named("left").in("root"), named("right").in("root"))
                  .runs(job("b1", "b", 4).priority(9))
                  .pending(job("new", "q", 3)),
              "new evicts: b1 (InCohortReclamation)"),
          new Case(
              "but not from the own branch beyond the own quota",
              AdmissionScene.classical(
                      queue("q", 1).in("left").reclaims(ANY), queue("sister", 3).in("left"))
                  .cohorts(named("left").in("root"), named("root").has("f", "gpu", 1))
                  .runs(job("s1", "sister", 5).priority(0))
                  .pending(job("new", "q", 3).priority(9)),
              "new: NO_FIT"),
          new Case(
              "a branch within its quota keeps its workloads, though one of its queues borrows",
              AdmissionScene.classical(
                      queue("q", 4).in("left").reclaims(ANY),
                      queue("b", 0).in("right"),
                      queue("c", 4).in("right"),
                      queue("d", 0).in("wild"))
                  .cohorts(
                      named("left").in("root"), named("right").in("root"), named("wild").in("root"))
                  .runs(job("b1", "b", 4), job("d1", "d", 4).priority(9))
                  .pending(job("new", "q", 4)),
              "new evicts: d1 (InCohortReclamation)"));

  /** All of {@code q}'s four gpus are lent to {@code b}, which has two of its own. */
  private static AdmissionScene lent(QueueSketch queue) {
    return AdmissionScene.classical(queue, queue("b", 2).in("r"))
        .runs(
            job("b1", "b", 2).reservedAt(1),
            job("b2", "b", 2).priority(5).reservedAt(2),
            job("b3", "b", 2).reservedAt(3));
  }

  /** {@code b} uses its two gpus, and two of the cohort's, all with one priority. */
  private static AdmissionScene borrowing(QueueSketch queue, int priority) {
    return AdmissionScene.classical(queue, queue("b", 2).in("r"), queue("c", 2).in("r"))
        .runs(
            job("b1", "b", 2).priority(priority).reservedAt(1),
            job("b2", "b", 2).priority(priority).reservedAt(2),
            job("own", "c", 1).priority(9));
  }

  @ParameterizedTest
  @FieldSource("WITHIN_QUEUE")
  void withinTheQueue(Case c) {
    assertThat(c.scene.decide()).containsExactly(c.want);
  }

  /**
   * By which right candidates are preempted, and in which order:
   * docs/specification/preemption.md#by-which-right,
   * docs/specification/preemption.md#attempts-with-and-without-borrowing.
   */
  @ParameterizedTest
  @FieldSource("WITHIN_COHORT")
  void withinTheCohort(Case c) {
    assertThat(c.scene.decide()).containsExactly(c.want);
  }

  @Test
  void ownWorkloadsGoRatherThanStrangersWhenTheQueueIsFull() {
    AdmissionScene scene =
        AdmissionScene.classical(
                queue("q", 2).in("r").within(LOWER_PRIORITY).reclaims(ANY),
                queue("b", 2).in("r"),
                queue("c", 2).in("r"))
            .runs(job("own", "q", 2), job("b1", "b", 2), job("b2", "b", 2))
            .pending(job("new", "q", 2).priority(1));

    assertThat(scene.decide()).containsExactly("new evicts: own (InClusterQueue)");
  }

  @Test
  void equalPrioritiesMustBeNewerByAMarginWhereOneIsSet() {
    var rules = new PreemptionRules(List.of(), true, Duration.ofMinutes(5), (_, _) -> 0);
    AdmissionScene scene =
        new AdmissionScene(AdmissionScene.with(rules, false))
            .queues(queue("q", 2).within(LOWER_OR_NEWER_EQUAL_PRIORITY))
            .runs(job("newer", "q", 1).since(300), job("newest", "q", 1).since(301))
            .pending(job("old", "q", 1));

    assertThat(scene.preempting()).containsExactly("old evicts: newest");
  }

  /**
   * A candidate that is put back changes the order of the others:
   * docs/specification/preemption.md#example-the-necessary-victims.
   */
  @Test
  void theLastOfThoseWhoMustGoTakesThePlaceOfWhoNeedNot() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("q", 12).within(LOWER_PRIORITY))
            .runs(
                job("one", "q", 2).priority(1),
                job("two", "q", 3).priority(2),
                job("three", "q", 3).priority(3),
                job("four", "q", 4).priority(4))
            .pending(job("new", "q", 10).priority(9));

    assertThat(scene.preempting()).containsExactly("new evicts: four, two, three");
  }
}
