package dev.sluice.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.runtime.Deletion;
import dev.sluice.testkit.FakeCluster;
import java.util.List;
import org.junit.jupiter.api.Test;

class PodsByNodeTest {
  private final FakeCluster cluster = new FakeCluster(1);
  private final PodsByNode pods = new PodsByNode(cluster);

  PodsByNodeTest() {
    cluster.watch(Kinds.POD, pods::changed);
  }

  private ApiObject add(String name, String node) {
    ApiObject pod = ApiObject.of(Kinds.POD, "default", name);
    return cluster.create(
        Kinds.POD, node.isEmpty() ? pod : pod.with(List.of("spec", "nodeName"), node));
  }

  private List<String> on(String node) {
    return pods.on(node).stream().map(Pod::name).toList();
  }

  @Test
  void podIsOnItsNodeFromBindingToDeletion() {
    ApiObject waiting = add("b", "");
    add("a", "node");
    assertThat(on("node")).containsExactly("a");

    ApiObject bound = cluster.update(Kinds.POD, waiting.with(List.of("spec", "nodeName"), "node"));
    assertThat(on("node")).containsExactly("a", "b");

    ApiObject labelled = cluster.update(Kinds.POD, bound.withLabel("any", "thing"));
    assertThat(on("node")).containsExactly("a", "b");

    cluster.delete(Kinds.POD, labelled, Deletion.NOW);
    assertThat(on("node")).containsExactly("a");
    assertThat(on("other")).isEmpty();
  }

  @Test
  void recreatedPodIsOnItsNewNodeOnly() {
    ApiObject first = add("a", "old");
    cluster.delete(Kinds.POD, first, Deletion.NOW);
    add("a", "new");

    assertThat(on("old")).isEmpty();
    assertThat(on("new")).containsExactly("a");
  }
}
