package dev.sluice.controllers.nodes.usage;

import static dev.sluice.testkit.Worlds.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.nodes.SimulationSettings;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.ComputedApi;
import dev.sluice.testkit.FakeCluster;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What {@code kubectl top} is told of nodes that really run something. */
class MeasuredUsageTest {
  private static final MeasuredUsage.Use USE =
      new MeasuredUsage.Use(new BigDecimal("0.25"), new BigDecimal(2 << 20));

  /** Knows the node {@code local}, and of every pod the container {@code a}. */
  private static final class Measured implements MeasuredUsage {
    @Override
    public SortedMap<String, Use> nodes() {
      return new TreeMap<>(Collections.singletonMap("local", USE));
    }

    @Override
    public Optional<Use> container(String pod, String container) {
      return container.equals("a") ? Optional.of(USE) : Optional.empty();
    }
  }

  private final FakeCluster cluster = new FakeCluster(1);
  private final ResourceMetricsApi api =
      new ResourceMetricsApi(
          new SimulatedUsage(cluster, SimulationSettings.DEFAULT),
          new Measured(),
          () -> cluster.time().now());

  private Tree read(ComputedApi.Part part) {
    return api.read(new ComputedApi.Request(part, "", "", new TreeMap<>()));
  }

  private void pod(String name, String container, String phase) {
    ApiObject pod =
        cluster.create(
            Kinds.POD,
            yaml(
                "{kind: Pod, metadata: {name: %s, namespace: default}, spec: {nodeName: local,"
                        .formatted(name)
                    + " containers: [{name: %s}]}}".formatted(container)));
    cluster.patchStatus(Kinds.POD, pod, Tree.of("phase", phase));
  }

  @Test
  void nodesAreToldOnceTheyAreThere() {
    assertThat(read(api.parts().getFirst()).trees("items")).isEmpty();

    cluster.create(Kinds.NODE, ApiObject.of(Kinds.NODE, "", "local"));

    assertThat(read(api.parts().getFirst()).trees("items"))
        .singleElement()
        .satisfies(node -> {
          assertThat(node.text("metadata", "name")).isEqualTo("local");
          assertThat(node.tree("usage")).isEqualTo(Tree.of("cpu", "250m", "memory", "2Mi"));
        });
  }

  @Test
  void runningPodsAreToldOfWhichSomethingIsKnown() {
    pod("runs", "a", "Running");
    pod("ended", "a", "Succeeded");
    pod("unknown", "b", "Running");

    assertThat(read(api.parts().getLast()).trees("items"))
        .singleElement()
        .satisfies(pod -> {
          assertThat(pod.text("metadata", "name")).isEqualTo("runs");
          assertThat(pod.trees("containers"))
              .containsExactly(
                  Tree.of("name", "a", "usage", Tree.of("cpu", "250m", "memory", "2Mi")));
        });
  }
}
