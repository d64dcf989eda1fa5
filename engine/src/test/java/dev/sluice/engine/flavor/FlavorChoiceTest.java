package dev.sluice.engine.flavor;

import static dev.sluice.engine.admission.Job.job;
import static dev.sluice.engine.admission.QueueSketch.named;
import static dev.sluice.engine.admission.QueueSketch.queue;
import static dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy.ANY;
import static dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy.LOWER_PRIORITY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.admission.AdmissionScene;
import dev.sluice.engine.admission.Job;
import dev.sluice.engine.admission.QueueSketch;
import dev.sluice.engine.admission.cycle.AdmissionRules;
import dev.sluice.model.Amounts;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Which of several flavors is taken, by the rules of the queue. */
class FlavorChoiceTest {
  /**
   * A queue with two flavors: the first can be had in one way, the second in another, and the
   * queue's rules decide.
   */
  record Fungible(
      String name,
      boolean nextRatherThanBorrow,
      boolean nextRatherThanPreempt,
      boolean preemptionFirst,
      Offer first,
      Offer second,
      String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** In which way a flavor can be had. */
  enum Offer {
    FITS,
    BORROWS,
    PREEMPTS,
    RECLAIMS,
    NO_CANDIDATES,
    TOO_SMALL
  }

  static final List<Fungible> FUNGIBLE =
      List.of(
          new Fungible("the first that fits", false, true, false, Offer.FITS, Offer.FITS, "new 1"),
          new Fungible(
              "borrowing stops the search", false, true, false, Offer.BORROWS, Offer.FITS, "new 1"),
          new Fungible(
              "the next rather than borrow", true, true, false, Offer.BORROWS, Offer.FITS, "new 2"),
          new Fungible(
              "borrows when nothing better comes",
              true,
              true,
              false,
              Offer.BORROWS,
              Offer.TOO_SMALL,
              "new 1"),
          new Fungible(
              "the next rather than preempt",
              false,
              true,
              false,
              Offer.PREEMPTS,
              Offer.FITS,
              "new 2"),
          new Fungible(
              "preempting stops the search",
              false,
              false,
              false,
              Offer.PREEMPTS,
              Offer.FITS,
              "new evicts: own1 (InClusterQueue)"),
          new Fungible(
              "reclaiming stops the search",
              false,
              false,
              false,
              Offer.RECLAIMS,
              Offer.FITS,
              "new evicts: other1 (InCohortReclamation)"),
          new Fungible(
              "preempts when nothing better comes",
              false,
              true,
              false,
              Offer.PREEMPTS,
              Offer.TOO_SMALL,
              "new evicts: own1 (InClusterQueue)"),
          new Fungible(
              "reclaiming is better than preempting",
              false,
              true,
              false,
              Offer.PREEMPTS,
              Offer.RECLAIMS,
              "new evicts: other2 (InCohortReclamation)"),
          new Fungible(
              "nobody to evict never stops the search",
              false,
              false,
              false,
              Offer.NO_CANDIDATES,
              Offer.PREEMPTS,
              "new evicts: own2 (InClusterQueue)"),
          new Fungible(
              "borrowing over preemption",
              true,
              true,
              false,
              Offer.PREEMPTS,
              Offer.BORROWS,
              "new 2"),
          new Fungible(
              "preemption over borrowing",
              true,
              true,
              true,
              Offer.PREEMPTS,
              Offer.BORROWS,
              "new evicts: own1 (InClusterQueue)"),
          new Fungible(
              "preemption over borrowing, the other way round",
              true,
              true,
              true,
              Offer.BORROWS,
              Offer.PREEMPTS,
              "new evicts: own2 (InClusterQueue)"),
          new Fungible(
              "with preemption over borrowing, what fits still comes first",
              true,
              true,
              true,
              Offer.PREEMPTS,
              Offer.FITS,
              "new 2"),
          new Fungible(
              "of two that borrow the first",
              true,
              true,
              false,
              Offer.BORROWS,
              Offer.BORROWS,
              "new 1"));

  @ParameterizedTest
  @FieldSource("FUNGIBLE")
  void rulesOfTheQueueDecideWhichFlavorIsTaken(Fungible c) {
    QueueSketch queue =
        named("q")
            .in("r")
            .within(LOWER_PRIORITY)
            .reclaims(ANY)
            .fungible(c.nextRatherThanBorrow, c.nextRatherThanPreempt, c.preemptionFirst);
    QueueSketch other = named("other").in("r");
    offer(queue, other, "1", c.first);
    offer(queue, other, "2", c.second);
    AdmissionScene scene = AdmissionScene.classical(queue, other);
    occupy(scene, "1", c.first);
    occupy(scene, "2", c.second);

    assertThat(scene.pending(job("new", "q", 4).priority(5)).decide()).containsExactly(c.want);
  }

  private static void offer(QueueSketch queue, QueueSketch other, String flavor, Offer how) {
    queue.has(flavor, "gpu", how == Offer.BORROWS ? 0 : how == Offer.TOO_SMALL ? 1 : 4);
    if (how != Offer.BORROWS) {
      queue.borrows(0);
    }
    other.has(flavor, "gpu", how == Offer.TOO_SMALL ? 0 : 4);
  }

  private static void occupy(AdmissionScene scene, String flavor, Offer how) {
    switch (how) {
      case PREEMPTS -> scene.runs(flavor, job("own" + flavor, "q", 4));
      case NO_CANDIDATES -> scene.runs(flavor, job("own" + flavor, "q", 4).priority(9));
      case RECLAIMS -> scene.runs(flavor, job("other" + flavor, "other", 8).priority(9));
      case FITS, BORROWS, TOO_SMALL -> {}
    }
  }

  record Reluctant(boolean nextRatherThanPreempt, boolean preemptionFirst) {}

  static final List<Reluctant> RELUCTANT =
      List.of(new Reluctant(false, false), new Reluctant(true, true), new Reluctant(false, true));

  /**
   * Each resource of the second flavor alone could be had, one from a stranger and one from the own
   * queue, but not both. In Kueue it waits for that though it could borrow the first.
   */
  @ParameterizedTest
  @FieldSource("RELUCTANT")
  void reducedRequestThatFitsIsTakenWhereNoVictimsSuffice(Reluctant c) {
    QueueSketch queue =
        named("q")
            .in("r")
            .has("1", "gpu", 0)
            .has("1", "disk", 0)
            .has("2", "gpu", 2)
            .has("2", "disk", 2)
            .within(LOWER_PRIORITY)
            .reclaims(LOWER_PRIORITY)
            .fungible(true, c.nextRatherThanPreempt, c.preemptionFirst);
    AdmissionScene scene =
        AdmissionScene.classical(
                queue, named("other").in("r").has("2", "gpu", 0).has("2", "disk", 0))
            .cohorts(named("r").has("1", "gpu", 2).has("1", "disk", 2))
            .runs("2", Job.empty("stranger", "other").pods("main", 1, Amounts.of("gpu", 2)))
            .runs("2", Job.empty("own", "q").pods("main", 1, Amounts.of("disk", 2)));
    Amounts both = Amounts.of("gpu", 2).plus(Amounts.of("disk", 2));

    scene.pending(Job.empty("new", "q").pods("main", 1, both).priority(5));

    assertThat(scene.decide()).containsExactly("new 1");
  }

  @Test
  void withoutFungibilityTheSearchStopsAtTheFirstThatFits() {
    AdmissionRules rules = AdmissionScene.with(new FlavorRules(false, false));
    QueueSketch queue = named("q").in("r").has("1", "gpu", 0).has("2", "gpu", 4);
    AdmissionScene scene =
        new AdmissionScene(rules)
            .queues(queue.fungible(true, true, false), named("other").in("r").has("1", "gpu", 4));

    assertThat(scene.pending(job("new", "q", 4)).decide()).containsExactly("new 1");
  }

  @Test
  void holderOfADroppedFlavorTakesNothingOfTheNewOne() {
    AdmissionScene scene =
        AdmissionScene.classical(named("q").has("old", "gpu", 2))
            .runs("old", job("before", "q", 2));

    scene.change(named("q").has("new", "gpu", 2)).pending(job("after", "q", 2));
    assertThat(scene.decide()).containsExactly("after new");

    assertThat(scene.ends("before").pending(job("more", "q", 1)).admitted()).isEmpty();
    assertThat(scene.ends("after").admitted()).containsExactly("more new");
  }
}
