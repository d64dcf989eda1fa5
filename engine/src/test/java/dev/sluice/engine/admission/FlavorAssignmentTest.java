package dev.sluice.engine.admission;

import static dev.sluice.engine.admission.Job.job;
import static dev.sluice.engine.admission.QueueSketch.named;
import static dev.sluice.engine.admission.QueueSketch.queue;
import static dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy.ANY;
import static dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy.LOWER_PRIORITY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.flavor.FlavorRules;
import dev.sluice.engine.preemption.PreemptionRules;
import dev.sluice.engine.queue.FlavorSpec;
import dev.sluice.engine.queue.PodNeeds;
import dev.sluice.engine.queue.PodSetRequest;
import dev.sluice.model.Amounts;
import dev.sluice.model.core.NodeAffinity;
import dev.sluice.model.core.NodeRequirement;
import dev.sluice.model.core.NodeTerm;
import dev.sluice.model.core.Taint;
import dev.sluice.model.core.Toleration;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class FlavorAssignmentTest {

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
    Scene scene = Scene.classical(queue, other);
    occupy(scene, "1", c.first);
    occupy(scene, "2", c.second);

    assertThat(scene.waits(job("new", "q", 4).priority(5)).decide()).containsExactly(c.want);
  }

  private static void offer(QueueSketch queue, QueueSketch other, String flavor, Offer how) {
    queue.has(flavor, "gpu", how == Offer.BORROWS ? 0 : how == Offer.TOO_SMALL ? 1 : 4);
    if (how != Offer.BORROWS) {
      queue.borrows(0);
    }
    other.has(flavor, "gpu", how == Offer.TOO_SMALL ? 0 : 4);
  }

  private static void occupy(Scene scene, String flavor, Offer how) {
    switch (how) {
      case PREEMPTS -> scene.runs(flavor, job("own" + flavor, "q", 4));
      case NO_CANDIDATES -> scene.runs(flavor, job("own" + flavor, "q", 4).priority(9));
      case RECLAIMS -> scene.runs(flavor, job("other" + flavor, "other", 8).priority(9));
      case FITS, BORROWS, TOO_SMALL -> {}
    }
  }

  @Test
  void withoutFungibilityTheSearchStopsAtTheFirstThatFits() {
    var rules =
        new AdmissionRules(
            new FlavorRules(false, false),
            PreemptionRules.CLASSICAL,
            true,
            false,
            true,
            false,
            true,
            workload -> {},
            Duration.ZERO);
    QueueSketch queue = named("q").in("r").has("1", "gpu", 0).has("2", "gpu", 4);
    Scene scene =
        new Scene(rules)
            .queues(queue.fungible(true, true, false), named("other").in("r").has("1", "gpu", 4));

    assertThat(scene.waits(job("new", "q", 4)).decide()).containsExactly("new 1");
  }

  record Eligible(String name, PodNeeds pods, FlavorSpec flavor, boolean want) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final Taint TAINT = new Taint("spot", "yes", Taint.NO_SCHEDULE);

  static final List<Eligible> ELIGIBLE =
      List.of(
          new Eligible("no wishes", Job.ANY_NODE, flavor(Map.of("zone", "a")), true),
          new Eligible("the label", selecting("zone", "a"), flavor(Map.of("zone", "a")), true),
          new Eligible("another value", selecting("zone", "b"), flavor(Map.of("zone", "a")), false),
          new Eligible(
              "a label that the flavor does not name",
              selecting("disk", "ssd"),
              flavor(Map.of("zone", "a")),
              true),
          new Eligible(
              "an affinity to the label",
              affine(term("zone", "In", "a", "b")),
              flavor(Map.of("zone", "a")),
              true),
          new Eligible(
              "an affinity away from it",
              affine(term("zone", "NotIn", "a")),
              flavor(Map.of("zone", "a")),
              false),
          new Eligible(
              "one of two terms matches",
              affine(term("zone", "In", "b"), term("zone", "In", "a")),
              flavor(Map.of("zone", "a")),
              true),
          new Eligible(
              "no term matches",
              affine(term("zone", "In", "b"), term("zone", "In", "c")),
              flavor(Map.of("zone", "a")),
              false),
          new Eligible(
              "a term about other labels only makes the affinity void",
              affine(term("zone", "In", "b"), term("disk", "In", "ssd")),
              flavor(Map.of("zone", "a")),
              true),
          new Eligible(
              "other labels of a term are not judged",
              affine(
                  new NodeTerm(
                      List.of(
                          new NodeRequirement("zone", "In", List.of("a")),
                          new NodeRequirement("disk", "DoesNotExist", List.of())),
                      List.of())),
              flavor(Map.of("zone", "a")),
              true),
          new Eligible("a taint", Job.ANY_NODE, tainted(TAINT), false),
          new Eligible(
              "a taint that only prefers others",
              Job.ANY_NODE,
              tainted(new Taint("spot", "yes", "PreferNoSchedule")),
              true),
          new Eligible(
              "a taint that also evicts",
              Job.ANY_NODE,
              tainted(new Taint("spot", "yes", Taint.NO_EXECUTE)),
              false),
          new Eligible(
              "a taint that the pods tolerate",
              tolerating(new Toleration("spot", true, "", "")),
              tainted(TAINT),
              true),
          new Eligible(
              "a taint with another value",
              tolerating(new Toleration("spot", false, "no", "")),
              tainted(TAINT),
              false),
          new Eligible(
              "a taint that the flavor's own tolerations cover",
              Job.ANY_NODE,
              new FlavorSpec(
                  "f",
                  new TreeMap<>(),
                  List.of(TAINT),
                  List.of(new Toleration("spot", false, "yes", ""))),
              true));

  @ParameterizedTest
  @FieldSource("ELIGIBLE")
  void aFlavorMustSuitThePods(Eligible c) {
    Scene scene = Scene.classical(queue("q", 1)).flavor(c.flavor);

    assertThat(scene.waits(job("new", "q", 1).needs(c.pods)).decide())
        .containsExactly(c.want ? "new f" : "new: NO_FIT");
  }

  private static FlavorSpec flavor(Map<String, String> labels) {
    return new FlavorSpec("f", new TreeMap<>(labels), List.of(), List.of());
  }

  private static FlavorSpec tainted(Taint taint) {
    return new FlavorSpec("f", new TreeMap<>(), List.of(taint), List.of());
  }

  private static PodNeeds selecting(String key, String value) {
    return new PodNeeds(
        Amounts.NONE, new TreeMap<>(Map.of(key, value)), NodeAffinity.NONE, List.of());
  }

  private static PodNeeds affine(NodeTerm... terms) {
    return new PodNeeds(
        Amounts.NONE, new TreeMap<>(), new NodeAffinity(true, List.of(terms)), List.of());
  }

  private static PodNeeds tolerating(Toleration toleration) {
    return new PodNeeds(Amounts.NONE, new TreeMap<>(), NodeAffinity.NONE, List.of(toleration));
  }

  private static NodeTerm term(String key, String operator, String... values) {
    return new NodeTerm(List.of(new NodeRequirement(key, operator, List.of(values))), List.of());
  }

  @Test
  void aFlavorThatDoesNotExistIsPassedOver() {
    Scene scene = Scene.classical(named("q").has("missing", "gpu", 5).has("f", "gpu", 5));

    assertThat(scene.waits(job("new", "q", 1)).decide()).containsExactly("new f");
  }

  @Test
  void aResourceThatNoGroupCoversKeepsTheWorkloadOut() {
    Amounts both = Amounts.of("gpu", 1).plus(Amounts.of("disk", 1));
    Amounts zero = Amounts.of("gpu", 1).plus(Amounts.of("disk", 0));
    Scene scene =
        Scene.classical(queue("q", 2))
            .waits(
                Job.empty("some", "q").pods("main", 1, both),
                Job.empty("zero", "q").pods("main", 1, zero));

    assertThat(scene.decide()).containsExactly("zero f", "some: NO_FIT");
  }

  @Test
  void unlessUndeclaredResourcesAreIgnored() {
    var rules =
        new AdmissionRules(
            new FlavorRules(true, true),
            PreemptionRules.CLASSICAL,
            true,
            false,
            true,
            false,
            true,
            workload -> {},
            Duration.ZERO);
    Amounts both = Amounts.of("gpu", 1).plus(Amounts.of("disk", 1));
    Scene scene = new Scene(rules).queues(queue("q", 2));

    assertThat(scene.waits(Job.empty("some", "q").pods("main", 1, both)).decide())
        .containsExactly("some f");
  }

  @Test
  void podsAreCountedWhereTheQueueCoversThem() {
    Scene scene =
        Scene.classical(named("q").has("f", "gpu", 9).has("f", "pods", 3))
            .waits(
                Job.empty("two", "q").pods("main", 2, Amounts.of("gpu", 1)).since(1),
                Job.empty("more", "q").pods("main", 2, Amounts.of("gpu", 1)).since(2));

    assertThat(scene.decide()).containsExactly("two main=2xf", "more: NO_CANDIDATES");
  }

  @Test
  void aWorkloadWithoutAnyRequestIsAdmitted() {
    Scene scene = Scene.classical(queue("q", 0));

    assertThat(scene.waits(Job.empty("idle", "q").pods("main", 1, Amounts.NONE)).decide())
        .containsExactly("idle");
  }

  @Test
  void laterPodSetsSeeWhatEarlierOnesTake() {
    Scene scene =
        Scene.classical(named("q").has("1", "gpu", 3).has("2", "gpu", 3))
            .waits(
                Job.empty("new", "q")
                    .pods("a", 1, Amounts.of("gpu", 2))
                    .pods("b", 1, Amounts.of("gpu", 2)));

    assertThat(scene.decide()).containsExactly("new a=1x1 b=1x2");
  }

  @Test
  void podSetsOfAGroupGetTheSameFlavor() {
    Scene scene =
        Scene.classical(named("q").has("1", "gpu", 3).has("2", "gpu", 4))
            .waits(
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
    Scene scene =
        Scene.classical(
                named("q")
                    .has("a", "gpu", 1)
                    .has("b", "gpu", 2)
                    .nextGroup()
                    .has("c", "disk", 2)
                    .has("d", "disk", 2))
            .waits(Job.empty("new", "q").pods("main", 1, both));

    assertThat(scene.decide()).containsExactly("new c+b");
  }

  @Test
  void allResourcesOfAGroupMustFitInTheFlavor() {
    Amounts both = Amounts.of("gpu", 2).plus(Amounts.of("disk", 2));
    Scene scene =
        Scene.classical(
                named("q")
                    .has("a", "gpu", 9)
                    .has("a", "disk", 1)
                    .has("b", "gpu", 2)
                    .has("b", "disk", 2))
            .waits(Job.empty("new", "q").pods("main", 1, both));

    assertThat(scene.decide()).containsExactly("new b");
  }

  @Test
  void whoIsOutrunGoesOnWithTheNextFlavor() {
    Scene scene =
        Scene.classical(
                named("a").in("r").has("1", "gpu", 0).has("2", "gpu", 2),
                named("b").in("r").has("1", "gpu", 0).has("2", "gpu", 2))
            .cohorts(named("r").has("1", "gpu", 2))
            .waits(job("first", "a", 2).since(1), job("second", "b", 2).since(2));

    assertThat(scene.decide()).containsExactly("first 1", "second 2");
  }

  @Test
  void aScanThatWasInterruptedBeginsAnewWhenTheFlavorsChange() {
    QueueSketch preempting = named("a").in("r").has("1", "gpu", 2).within(LOWER_PRIORITY);
    Scene scene =
        Scene.classical(
                preempting,
                named("b").in("r").has("1", "gpu", 0).has("2", "gpu", 0).has("3", "gpu", 0))
            .runs("1", job("victim", "a", 1))
            .waits(job("preemptor", "a", 2).priority(1), job("outrun", "b", 1));
    scene.decide();

    scene.change(named("b").in("r").has("1", "gpu", 0));
    assertThat(scene.admitted()).isEmpty();
    assertThat(scene.ends("victim").admitted()).containsExactly("preemptor 1");
  }

  @Test
  void aLargerSliceTakesOverTheQuotaOfTheOneItReplaces() {
    Job old = job("old", "q", 3);
    Scene scene =
        Scene.classical(named("q").has("e", "gpu", 9).has("f", "gpu", 5))
            .runs(old)
            .waits(job("new", "q", 5).replacing(old));

    assertThat(scene.decide()).containsExactly("new f");
    assertThat(scene.engine.ledger().reservations())
        .singleElement()
        .satisfies(held -> assertThat(held.name()).isEqualTo("new"));
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

  @ParameterizedTest
  @FieldSource("PARTIAL")
  void aWorkloadMayStartWithFewerPods(Partial c) {
    var podSet =
        new PodSetRequest("main", c.count, c.least, Amounts.of("gpu", 1), Job.ANY_NODE, "");
    Scene scene = Scene.classical(queue("q", c.quota));

    assertThat(scene.waits(Job.empty("new", "q").with(podSet)).decide()).containsExactly(c.want);
  }

  @Test
  void evictingForAllPodsComesBeforeStartingWithFewer() {
    var podSet = new PodSetRequest("main", 4, 1, Amounts.of("gpu", 1), Job.ANY_NODE, "");
    Scene scene =
        Scene.classical(queue("q", 4).within(LOWER_PRIORITY))
            .runs(job("victim", "q", 2))
            .waits(Job.empty("new", "q").with(podSet).priority(1));

    assertThat(scene.decide()).containsExactly("new evicts: victim (InClusterQueue)");
  }

  @Test
  void messagesSayWhatIsMissing() {
    Scene scene =
        Scene.classical(queue("q", 3))
            .runs(job("running", "q", 2))
            .waits(
                job("some", "q", 3),
                Job.empty("much", "q")
                    .pods("a", 1, Amounts.of("gpu", 1))
                    .pods("b", 1, Amounts.of("gpu", 3)));

    assertThat(
            scene.engine.decide(Scene.NOW, 9).stream()
                .map(decision -> ((Decision.Wait) decision).waiting().message()))
        .containsExactly(
            "couldn't assign flavors to pod set b: insufficient quota for gpu in flavor f,"
                + " previously considered podsets requests (1) + current podset request (3) >"
                + " maximum capacity (3)",
            "couldn't assign flavors to pod set main: insufficient unused quota for gpu in flavor"
                + " f, 2 more needed");
  }
}
