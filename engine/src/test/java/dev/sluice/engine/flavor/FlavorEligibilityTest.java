package dev.sluice.engine.flavor;

import static dev.sluice.engine.admission.Job.job;
import static dev.sluice.engine.admission.QueueSketch.named;
import static dev.sluice.engine.admission.QueueSketch.queue;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.admission.AdmissionScene;
import dev.sluice.engine.admission.Job;
import dev.sluice.engine.queue.FlavorSpec;
import dev.sluice.engine.queue.PodNeeds;
import dev.sluice.model.Amounts;
import dev.sluice.model.core.node.NodeAffinity;
import dev.sluice.model.core.node.NodeRequirement;
import dev.sluice.model.core.node.NodeTerm;
import dev.sluice.model.core.node.Taint;
import dev.sluice.model.core.node.Toleration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Which flavors suit the pods of a workload. */
class FlavorEligibilityTest {

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

  /**
   * Only labels that the flavor has are compared, and only taints that repel pods count:
   * docs/specification/flavor-assignment.md#flavor-eligibility.
   */
  @ParameterizedTest
  @FieldSource("ELIGIBLE")
  void aFlavorMustSuitThePods(Eligible c) {
    AdmissionScene scene = AdmissionScene.classical(queue("q", 1)).flavor(c.flavor);

    assertThat(scene.pending(job("new", "q", 1).needs(c.pods)).decide())
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
    AdmissionScene scene =
        AdmissionScene.classical(named("q").has("missing", "gpu", 5).has("f", "gpu", 5));

    assertThat(scene.pending(job("new", "q", 1)).decide()).containsExactly("new f");
  }
}
