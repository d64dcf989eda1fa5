package dev.sluice.engine.flavor;

import static dev.sluice.engine.admission.Job.job;
import static dev.sluice.engine.admission.QueueSketch.named;
import static dev.sluice.engine.admission.QueueSketch.queue;
import static dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy.LOWER_PRIORITY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.admission.AdmissionScene;
import dev.sluice.engine.admission.Job;
import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.engine.admission.cycle.AdmissionRules;
import dev.sluice.engine.queue.PodSetRequest;
import dev.sluice.model.Amounts;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What pod sets get together, and what they are told if they get nothing. */
class FlavorAssignmentTest {

  @Test
  void aResourceThatNoGroupCoversKeepsTheWorkloadOut() {
    Amounts both = Amounts.of("gpu", 1).plus(Amounts.of("disk", 1));
    Amounts zero = Amounts.of("gpu", 1).plus(Amounts.of("disk", 0));
    AdmissionScene scene =
        AdmissionScene.classical(queue("q", 2))
            .pending(
                Job.empty("some", "q").pods("main", 1, both),
                Job.empty("zero", "q").pods("main", 1, zero));

    assertThat(scene.decide()).containsExactly("zero f", "some: NO_FIT");
  }

  @Test
  void unlessUndeclaredResourcesAreIgnored() {
    AdmissionRules rules = AdmissionScene.with(new FlavorRules(true, true));
    Amounts both = Amounts.of("gpu", 1).plus(Amounts.of("disk", 1));
    AdmissionScene scene = new AdmissionScene(rules).queues(queue("q", 2));

    assertThat(scene.pending(Job.empty("some", "q").pods("main", 1, both)).decide())
        .containsExactly("some f");
  }

  @Test
  void podsAreCountedWhereTheQueueCoversThem() {
    AdmissionScene scene =
        AdmissionScene.classical(named("q").has("f", "gpu", 9).has("f", "pods", 3))
            .pending(
                Job.empty("two", "q").pods("main", 2, Amounts.of("gpu", 1)).since(1),
                Job.empty("more", "q").pods("main", 2, Amounts.of("gpu", 1)).since(2));

    assertThat(scene.decide()).containsExactly("two main=2xf", "more: NO_CANDIDATES");
  }

  @Test
  void aWorkloadWithoutAnyRequestIsAdmitted() {
    AdmissionScene scene = AdmissionScene.classical(queue("q", 0));

    assertThat(scene.pending(Job.empty("idle", "q").pods("main", 1, Amounts.NONE)).decide())
        .containsExactly("idle");
  }

  @Test
  void laterPodSetsSeeWhatEarlierOnesTake() {
    AdmissionScene scene =
        AdmissionScene.classical(named("q").has("1", "gpu", 3).has("2", "gpu", 3))
            .pending(
                Job.empty("new", "q")
                    .pods("a", 1, Amounts.of("gpu", 2))
                    .pods("b", 1, Amounts.of("gpu", 2)));

    assertThat(scene.decide()).containsExactly("new a=1x1 b=1x2");
  }

  @Test
  void podSetsOfAGroupGetTheSameFlavor() {
    AdmissionScene scene =
        AdmissionScene.classical(named("q").has("1", "gpu", 3).has("2", "gpu", 4))
            .pending(
                Job.empty("new", "q")
                    .with(
                        new PodSetRequest(
                            "a", 1, 1, Amounts.of("gpu", 2), Job.ANY_NODE, "together"))
                    .with(
                        new PodSetRequest(
                            "b", 1, 1, Amounts.of("gpu", 2), Job.ANY_NODE, "together")));

    assertThat(scene.decide()).containsExactly("new a=1x2 b=1x2");
  }

  @Test
  void groupsOfResourcesChooseTheirFlavorsIndependently() {
    Amounts both = Amounts.of("gpu", 2).plus(Amounts.of("disk", 2));
    AdmissionScene scene =
        AdmissionScene.classical(
                named("q")
                    .has("a", "gpu", 1)
                    .has("b", "gpu", 2)
                    .nextGroup()
                    .has("c", "disk", 2)
                    .has("d", "disk", 2))
            .pending(Job.empty("new", "q").pods("main", 1, both));

    assertThat(scene.decide()).containsExactly("new c+b");
  }

  @Test
  void allResourcesOfAGroupMustFitInTheFlavor() {
    Amounts both = Amounts.of("gpu", 2).plus(Amounts.of("disk", 2));
    AdmissionScene scene =
        AdmissionScene.classical(
                named("q")
                    .has("a", "gpu", 9)
                    .has("a", "disk", 1)
                    .has("b", "gpu", 2)
                    .has("b", "disk", 2))
            .pending(Job.empty("new", "q").pods("main", 1, both));

    assertThat(scene.decide()).containsExactly("new b");
  }

  @Test
  void aLargerSliceTakesOverTheQuotaOfTheOneItReplaces() {
    Job old = job("old", "q", 3);
    AdmissionScene scene =
        AdmissionScene.classical(named("q").has("e", "gpu", 9).has("f", "gpu", 5))
            .runs(old)
            .pending(job("new", "q", 5).replacing(old));

    assertThat(scene.decide()).containsExactly("new f");
    assertThat(scene.engine.ledger().reservations())
        .singleElement()
        .satisfies(held -> assertThat(held.name()).isEqualTo("new"));
  }

  @Test
  void onlyOneSliceTakesOverTheQuotaOfAnother() {
    Job old = job("old", "q", 3);
    AdmissionScene scene =
        AdmissionScene.classical(queue("q", 5))
            .runs(old)
            .pending(job("new", "q", 4).replacing(old), job("rival", "q", 4).replacing(old));

    assertThat(scene.decide()).containsExactly("new f", "rival: SKIPPED");
  }

  @Test
  void aSliceThatHoldsNothingLeavesNothing() {
    Job gone = job("gone", "q", 3);
    AdmissionScene scene =
        AdmissionScene.classical(queue("q", 5)).pending(job("new", "q", 8).replacing(gone));

    assertThat(scene.decide()).containsExactly("new: SKIPPED");
  }

  /** Ten pods of which at least two must start. */
  record Partial(String name, long quota, int count, int least, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Partial> PARTIAL =
      List.of(
          new Partial("all fit", 10, 10, 2, "new main=10xf"),
          new Partial("half fit", 5, 10, 2, "new main=5xf"),
          new Partial("only the fewest fit", 2, 10, 2, "new main=2xf"),
          new Partial("not even the fewest fit", 1, 10, 2, "new: NO_FIT"),
          new Partial("all are needed", 9, 10, 10, "new: NO_FIT"),
          new Partial("one fewer", 9, 10, 9, "new main=9xf"));

  /**
   * The number of pods is what the search for a lower bound finds:
   * docs/specification/flavor-assignment.md#example-partial-admission.
   */
  @ParameterizedTest
  @FieldSource("PARTIAL")
  void aWorkloadMayStartWithFewerPods(Partial c) {
    var podSet =
        new PodSetRequest("main", c.count, c.least, Amounts.of("gpu", 1), Job.ANY_NODE, "");
    AdmissionScene scene = AdmissionScene.classical(queue("q", c.quota));

    assertThat(scene.pending(Job.empty("new", "q").with(podSet)).decide()).containsExactly(c.want);
  }

  @Test
  void evictingForAllPodsComesBeforeStartingWithFewer() {
    var podSet = new PodSetRequest("main", 4, 1, Amounts.of("gpu", 1), Job.ANY_NODE, "");
    AdmissionScene scene =
        AdmissionScene.classical(queue("q", 4).within(LOWER_PRIORITY))
            .runs(job("victim", "q", 2))
            .pending(Job.empty("new", "q").with(podSet).priority(1));

    assertThat(scene.decide()).containsExactly("new evicts: victim (InClusterQueue)");
  }

  /** What fits is no reason to wait, whatever was passed over on the way to it. */
  @Test
  void messagesAreSilentAboutWhatFits() {
    Amounts both = Amounts.of("gpu", 2).plus(Amounts.of("tape", 9));
    AdmissionScene scene =
        AdmissionScene.classical(
                named("q")
                    .has("missing", "gpu", 9)
                    .has("b", "gpu", 9)
                    .nextGroup()
                    .has("c", "tape", 1))
            .pending(
                Job.empty("new", "q").pods("fits", 1, Amounts.of("gpu", 1)).pods("large", 1, both));

    assertThat(messages(scene))
        .containsExactly(
            "couldn't assign flavors to pod set large: insufficient quota for tape in flavor c,"
                + " previously considered podsets requests (0) + current podset request (9) >"
                + " maximum capacity (1)");
    assertThat(scene.engine.lengths().of("q").inadmissible()).isEqualTo(1);
  }

  private static List<String> messages(AdmissionScene scene) {
    return scene.engine.decide(AdmissionScene.NOW, 9).stream()
        .map(decision -> ((AdmissionDecision.Pending) decision).reason().message())
        .toList();
  }

  /** A workload whose pod sets want different nodes, and what it is told of the flavors. */
  @Test
  void admissionsTellWhichFlavorsWereConsidered() {
    AdmissionScene scene =
        AdmissionScene.classical(
                named("q")
                    .in("r")
                    .has("missing", "gpu", 9)
                    .has("b", "gpu", 3)
                    .has("a", "gpu", 2)
                    .within(LOWER_PRIORITY),
                named("other").in("r").has("a", "gpu", 9))
            .runs("b", job("held", "q", 2))
            .pending(
                Job.empty("new", "q")
                    .pods("one", 1, Amounts.of("gpu", 1))
                    .pods("two", 1, Amounts.of("gpu", 3))
                    .priority(5));

    assertThat(considered(scene))
        .isEqualTo(
            "one: missing(NoFit;flavor missing not found) | two: a(Fit;borrow=1),"
                + " b(NoFit;insufficient quota for gpu in flavor b, previously considered podsets"
                + " requests (1) + current podset request (3) > maximum capacity (3)),"
                + " missing(NoFit;flavor missing not found)");
  }

  @Test
  void admissionsTellOfFlavorsThatNeededPreemption() {
    AdmissionScene scene =
        AdmissionScene.classical(
                named("q")
                    .has("b", "gpu", 3)
                    .has("c", "gpu", 3)
                    .has("a", "gpu", 3)
                    .within(LOWER_PRIORITY))
            .runs("b", job("low", "q", 2))
            .runs("c", job("high", "q", 2).priority(9))
            .pending(job("new", "q", 2).priority(5));

    assertThat(considered(scene))
        .isEqualTo(
            "main: b(preemptionMode=Preempt;insufficient unused quota for gpu in flavor b, 1 more"
                + " needed), c(preemptionMode=NoCandidates;insufficient unused quota for gpu in"
                + " flavor c, 1 more needed)");
  }

  @Test
  void whatSimplyFitsIsNotTold() {
    assertThat(considered(AdmissionScene.classical(queue("q", 2)).pending(job("new", "q", 2))))
        .isEmpty();
  }

  /** The same shape, first at home and then borrowing. */
  @Test
  void borrowingIsToldOfEachOnItsOwn() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("q", 1).in("r"), queue("other", 9).in("r"))
            .pending(
                job("a", "q", 1).since(1), job("b", "q", 1).since(2), job("c", "q", 1).since(3));

    assertThat(
            scene.engine.decide(AdmissionScene.NOW, 9).stream()
                .map(
                    decision -> Considered.text(((AdmissionDecision.Admit) decision).considered())))
        .containsExactly("", "main: f(Fit;borrow=1)", "main: f(Fit;borrow=1)");
  }

  private static String considered(AdmissionScene scene) {
    return Considered.text(
        ((AdmissionDecision.Admit) scene.engine.decide(AdmissionScene.NOW, 9).getFirst())
            .considered());
  }

  @Test
  void messagesSayWhatIsMissing() {
    AdmissionScene scene =
        AdmissionScene.classical(queue("q", 3))
            .runs(job("running", "q", 2))
            .pending(
                job("some", "q", 3),
                Job.empty("much", "q")
                    .pods("a", 1, Amounts.of("gpu", 1))
                    .pods("b", 1, Amounts.of("gpu", 3)));

    assertThat(messages(scene))
        .containsExactly(
            "couldn't assign flavors to pod set b: insufficient quota for gpu in flavor f,"
                + " previously considered podsets requests (1) + current podset request (3) >"
                + " maximum capacity (3)",
            "couldn't assign flavors to pod set main: insufficient unused quota for gpu in flavor"
                + " f, 2 more needed");
  }
}
