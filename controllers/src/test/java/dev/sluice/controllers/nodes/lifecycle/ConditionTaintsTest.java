package dev.sluice.controllers.nodes.lifecycle;

import static dev.sluice.testkit.Worlds.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.node.Node;
import dev.sluice.model.core.node.NodeTaints;
import dev.sluice.model.tree.Tree;
import dev.sluice.testkit.FakeCluster;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The taints that follow from what a node says of itself. */
@Timeout(30)
class ConditionTaintsTest {
  private final NodeWorld world = new NodeWorld();

  @AfterEach
  void stop() {
    world.close();
  }

  record Case(String name, String conditions, boolean cordoned, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CONDITIONS =
      List.of(
          new Case("well", "{type: Ready, status: 'True'}", false, "[]"),
          new Case("never reported", "", false, "[not-ready:NoSchedule]"),
          new Case(
              "not ready",
              "{type: Ready, status: 'False'}",
              false,
              "[not-ready:NoExecute, not-ready:NoSchedule]"),
          new Case(
              "silent",
              "{type: Ready, status: Unknown}",
              false,
              "[unreachable:NoExecute, unreachable:NoSchedule]"),
          new Case(
              "short of everything",
              "{type: Ready, status: 'True'}, {type: MemoryPressure, status: 'True'}, {type:"
                  + " DiskPressure, status: 'True'}, {type: PIDPressure, status: 'True'}, {type:"
                  + " NetworkUnavailable, status: 'True'}",
              false,
              "[disk-pressure:NoSchedule, memory-pressure:NoSchedule,"
                  + " network-unavailable:NoSchedule, pid-pressure:NoSchedule]"),
          new Case(
              "not short of anything",
              "{type: Ready, status: 'True'}, {type: MemoryPressure, status: 'False'}, {type:"
                  + " DiskPressure, status: Unknown}",
              false,
              "[]"),
          new Case(
              "cordoned", "{type: Ready, status: 'True'}", true, "[unschedulable:NoSchedule]"));

  @ParameterizedTest
  @FieldSource("CONDITIONS")
  void taintsFollowFromConditions(Case c) {
    world.addNode("well");
    world.addNode("a");
    ApiObject node = world.node("a").object();
    Tree status = yaml("{status: {conditions: [%s]}}".formatted(c.conditions())).status();
    ApiObject changed = world.cluster.patchStatus(Kinds.NODE, node, status);
    world.cluster.update(Kinds.NODE, changed.with(List.of("spec", "unschedulable"), c.cordoned()));
    world.driver.settle();

    assertThat(world.taints("a")).hasToString(c.want());
  }

  @Test
  void conditionsBecomeTaints() {
    world.addNode("a");
    Node node = world.node("a");
    Tree pressure = Tree.of("type", "MemoryPressure", "status", "True");
    Tree ready = Tree.of("type", "Ready", "status", "True");
    Tree status = node.object().status().with("conditions", List.of(ready, pressure));
    ApiObject changed = world.cluster.patchStatus(Kinds.NODE, node.object(), status);
    world.cluster.update(Kinds.NODE, changed.with(List.of("spec", "unschedulable"), true));
    world.driver.settle();

    assertThat(world.taints("a"))
        .containsExactly("memory-pressure:NoSchedule", "unschedulable:NoSchedule");
    assertThat(new NodeTaints(world.node("a").object()).since(world.node("a").taints().getFirst()))
        .hasValue(FakeCluster.START);
  }
}
