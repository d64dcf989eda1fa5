package dev.sluice.engine.admission;

import static dev.sluice.engine.admission.Queues.clusterQueue;
import static dev.sluice.engine.admission.Queues.flavor;
import static dev.sluice.engine.admission.Queues.workload;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.tree.Tree;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class AdmissionCycleTest {

  /** What each workload of a case is told: "admitted" or the message of its condition. */
  record Case(String name, Queues given, List<String> want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case(
              "two of three fit, the third is told what is missing",
              new Queues()
                  .with(flavor("default"))
                  .with(clusterQueue("cq", "default", "cpu", "4"))
                  .with(workload("a", 1, "cpu", "2"))
                  .with(workload("b", 1, "cpu", "2"))
                  .with(workload("c", 1, "cpu", "2")),
              List.of(
                  "a admitted",
                  "b admitted",
                  "c couldn't assign flavors to pod set main: insufficient unused quota for cpu in"
                      + " flavor default, 2 more needed")),
          new Case(
              "a smaller one passes one that does not fit",
              new Queues()
                  .with(flavor("default"))
                  .with(clusterQueue("cq", "default", "cpu", "4"))
                  .with(workload("a", 1, "cpu", "3"))
                  .with(workload("b", 1, "cpu", "2"))
                  .with(workload("c", 1, "cpu", "1")),
              List.of(
                  "a admitted",
                  "b couldn't assign flavors to pod set main: insufficient unused quota for cpu in"
                      + " flavor default, 1 more needed",
                  "c admitted")),
          new Case(
              "in a strict queue nobody passes",
              new Queues()
                  .with(flavor("default"))
                  .with(Queues.strict(clusterQueue("cq", "default", "cpu", "4")))
                  .with(workload("a", 1, "cpu", "3"))
                  .with(workload("b", 1, "cpu", "2"))
                  .with(workload("c", 1, "cpu", "1")),
              List.of(
                  "a admitted",
                  "b couldn't assign flavors to pod set main: insufficient unused quota for cpu in"
                      + " flavor default, 1 more needed",
                  "c waits behind team/b in a StrictFIFO queue")),
          new Case(
              "the higher priority comes first",
              new Queues()
                  .with(flavor("default"))
                  .with(clusterQueue("cq", "default", "cpu", "2"))
                  .with(workload("a", 1, "cpu", "2"))
                  .with(Queues.priority(workload("b", 1, "cpu", "2"), 7)),
              List.of(
                  "b admitted",
                  "a couldn't assign flavors to pod set main: insufficient unused quota for cpu in"
                      + " flavor default, 2 more needed")),
          new Case(
              "more than there is never fits",
              new Queues()
                  .with(flavor("default"))
                  .with(clusterQueue("cq", "default", "cpu", "4"))
                  .with(workload("a", 3, "cpu", "1500m")),
              List.of(
                  "a couldn't assign flavors to pod set main: insufficient quota for cpu in flavor"
                      + " default, previously considered podsets requests (0) + current podset"
                      + " request (4500m) > maximum capacity (4)")),
          new Case(
              "a resource that no group covers",
              new Queues()
                  .with(flavor("default"))
                  .with(clusterQueue("cq", "default", "cpu", "4"))
                  .with(workload("a", 1, "nvidia.com/gpu", "1")),
              List.of(
                  "a couldn't assign flavors to pod set main: resource nvidia.com/gpu unavailable in"
                      + " ClusterQueue")),
          new Case(
              "the number of pods counts where there is a quota for it",
              new Queues()
                  .with(flavor("default"))
                  .with(clusterQueue("cq", "default", "pods", "3"))
                  .with(workload("a", 2, "pods", "0"))
                  .with(workload("b", 2, "pods", "0")),
              List.of(
                  "a admitted",
                  "b couldn't assign flavors to pod set main: insufficient unused quota for pods in"
                      + " flavor default, 1 more needed")),
          new Case(
              "a flavor that does not exist",
              new Queues()
                  .with(clusterQueue("cq", "gone", "cpu", "4"))
                  .with(workload("a", 1, "cpu", "1")),
              List.of("a couldn't assign flavors to pod set main: flavor gone not found")),
          new Case(
              "a queue that does not exist",
              new Queues().with(workload("a", 1, "cpu", "1")),
              List.of("a ClusterQueue cq doesn't exist")),
          new Case(
              "negative requests take nothing from others",
              new Queues()
                  .with(flavor("default"))
                  .with(clusterQueue("cq", "default", "cpu", "1"))
                  .with(workload("a", 1, "cpu", "-5"))
                  .with(workload("b", 1, "cpu", "2")),
              List.of(
                  "a admitted",
                  "b couldn't assign flavors to pod set main: insufficient quota for cpu in flavor"
                      + " default, previously considered podsets requests (0) + current podset"
                      + " request (2) > maximum capacity (1)")));

  @ParameterizedTest
  @FieldSource("CASES")
  void decides(Case c) {
    assertThat(c.given().decide()).isEqualTo(c.want());
  }

  @Test
  void theSecondFlavorTakesWhatTheFirstCannot() {
    var queues =
        new Queues()
            .with(flavor("spot"))
            .with(flavor("reserved"))
            .with(clusterQueue("cq", List.of("spot", "reserved"), "cpu", "4"))
            .with(workload("a", 1, "cpu", "3"))
            .with(workload("b", 1, "cpu", "2"));

    assertThat(queues.flavorOf("a")).isEqualTo("spot");
    assertThat(queues.flavorOf("b")).isEqualTo("reserved");
  }

  @Test
  void podsThatSelectOtherNodesPassAFlavorOver() {
    Tree wantsArm = Tree.of("nodeSelector", Tree.of("arch", "arm64", "other", "ignored"));
    var queues =
        new Queues()
            .with(flavor("intel", Tree.of("nodeLabels", Tree.of("arch", "amd64"))))
            .with(flavor("arm", Tree.of("nodeLabels", Tree.of("arch", "arm64"))))
            .with(clusterQueue("cq", List.of("intel", "arm"), "cpu", "4"))
            .with(Queues.podSpec(workload("a", 1, "cpu", "1"), wantsArm));

    assertThat(queues.flavorOf("a")).isEqualTo("arm");
  }

  @Test
  void aTaintKeepsAwayWhoDoesNotTolerateIt() {
    Tree taint = Tree.of("key", "gpu", "value", "yes", "effect", "NoSchedule");
    Tree toleration = Tree.of("key", "gpu", "operator", "Exists");
    var queues =
        new Queues()
            .with(flavor("tainted", Tree.of("nodeTaints", List.of(taint))))
            .with(clusterQueue("cq", "tainted", "cpu", "4"))
            .with(workload("a", 1, "cpu", "1"))
            .with(
                Queues.podSpec(
                    workload("b", 1, "cpu", "1"), Tree.of("tolerations", List.of(toleration))));

    assertThat(queues.decide())
        .containsExactly(
            "a couldn't assign flavors to pod set main: untolerated taint {gpu yes NoSchedule} in"
                + " flavor tainted",
            "b admitted");
  }

  @Test
  void namespacesThatAQueueDoesNotSelectAreRefused() {
    Tree selector = Tree.of("matchLabels", Tree.of("tier", "research"));
    var queues =
        new Queues()
            .with(flavor("default"))
            .with(Queues.selecting(clusterQueue("cq", "default", "cpu", "4"), selector))
            .with(workload("a", 1, "cpu", "1"));

    assertThat(queues.decide())
        .containsExactly("a workload namespace doesn't match ClusterQueue selector");
    assertThat(queues.withNamespaceLabel("tier", "research").decide())
        .containsExactly("a admitted");
  }
}
