package dev.sluice.controllers.nodes.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.core.node.Taint;
import dev.sluice.model.core.pod.Disruption;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodStatus;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which pods must leave a node with a taint, and when. */
@Timeout(30)
class TaintEvictionTest {
  private final NodeWorld world = new NodeWorld();

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void podWithoutTolerationIsEvictedAtOnce() {
    world.addNode("a");
    world.addPod("p", "a", "[]");
    world.addPod("q", "a", "[{key: other, operator: Exists}]");
    world.addPod("r", "a", "[{key: k, operator: Exists}]");
    world.driver.settle();
    world.taint("a", "k", Taint.NO_EXECUTE);

    for (String gone : List.of("p", "q")) {
      Pod pod = world.pod(gone);
      assertThat(pod.isDeleting()).isTrue();
      assertThat(pod.status().reason(Disruption.CONDITION)).isEqualTo("DeletionByTaintManager");
      assertThat(pod.status().message(Disruption.CONDITION))
          .isEqualTo("Taint manager: deleting due to NoExecute taint");
    }
    assertThat(world.pod("r").isDeleting()).isFalse();
    assertThat(world.messages("TaintManagerEviction"))
        .containsExactly(
            "Marking for deletion Pod default/p", "Marking for deletion Pod default/q");
  }

  @Test
  void theShortestTolerationDecidesAndACleanNodeSpares() {
    world.addNode("a");
    String two =
        "[{key: k, operator: Exists, tolerationSeconds: 300},"
            + " {operator: Exists, effect: NoExecute, tolerationSeconds: 20}]";
    world.addPod("p", "a", two);
    world.addPod(
        "endless", "a", "[{key: k, operator: Exists, tolerationSeconds: 9223372036854775807}]");
    world.taint("a", "k", Taint.NO_EXECUTE);
    world.pass(19);
    assertThat(world.pod("p").isDeleting()).isFalse();
    world.taint("a", "k", Taint.NO_SCHEDULE);
    world.pass(19);

    assertThat(world.pod("p").isDeleting()).isFalse();
    assertThat(world.messages("TaintManagerEviction"))
        .containsExactly(
            "Cancelling deletion of Pod default/endless", "Cancelling deletion of Pod default/p");

    world.taint("a", "k", Taint.NO_EXECUTE);
    world.pass(21);
    assertThat(world.pod("p").isDeleting()).isTrue();
  }

  @Test
  void everyTaintHasItsOwnTime() {
    var first = new Taint("k", "", Taint.NO_EXECUTE);
    var second = new Taint("l", "", Taint.NO_EXECUTE);
    world.addNode("a");
    String both =
        "[{key: k, operator: Exists, tolerationSeconds: 300},"
            + " {key: l, operator: Exists, tolerationSeconds: 60}]";
    world.addPod("p", "a", both);
    world.taint("a", List.of(first));
    world.pass(100);
    world.taint("a", List.of(first, second));
    world.pass(59);
    assertThat(world.pod("p").isDeleting()).isFalse();

    world.taint("a", List.of(first));
    world.pass(100);
    assertThat(world.pod("p").isDeleting()).isFalse();

    world.pass(42);
    assertThat(world.pod("p").isDeleting()).isTrue();
  }

  @Test
  void aTaintThatCameLaterMayDriveAPodAwayFirst() {
    world.addNode("a");
    world.addPod(
        "p",
        "a",
        "[{key: k, operator: Exists, tolerationSeconds: 300},"
            + " {key: l, operator: Exists, tolerationSeconds: 60}]");
    world.taint("a", "k", Taint.NO_EXECUTE);
    world.pass(100);
    world.taint(
        "a", List.of(new Taint("k", "", Taint.NO_EXECUTE), new Taint("l", "", Taint.NO_EXECUTE)));
    world.pass(61);

    assertThat(world.pod("p").isDeleting()).isTrue();
  }

  @Test
  void aPodThatComesToATaintedNodeGoesToo() {
    world.addNode("a");
    world.taint("a", "k", Taint.NO_EXECUTE);
    world.addPod("p", "a", "[]");
    world.driver.settle();

    assertThat(world.pod("p").isDeleting()).isTrue();
    assertThat(world.pod("p").status().holds(PodStatus.READY)).isTrue();
  }
}
