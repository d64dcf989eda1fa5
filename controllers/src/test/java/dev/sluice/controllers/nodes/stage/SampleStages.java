package dev.sluice.controllers.nodes.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import dev.sluice.testkit.Worlds;
import java.time.Instant;
import java.util.TreeMap;

/** The pod that stages are tried on, and stages for pods. */
final class SampleStages {
  static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  static final Tree POD =
      tree(
          """
          metadata:
            name: p
            labels: {app: a}
            annotations: {delay: 7s, past: -3s, at: "2030-01-01T00:00:09Z", none: "", word: soon, weight: "5", bad: x}
          status: {phase: Pending, ready: true, restarts: 1, conditions: [{type: Ready, status: "False"}]}
          """);

  private SampleStages() {}

  private static Tree tree(String yaml) {
    return Yaml.parseAll(yaml).getFirst().asTree();
  }

  /** A stage for pods with this in its spec, and what is wrong with it. */
  static StageReader.Read read(String name, String spec) {
    return StageReader.read(
        Worlds.yaml(
            """
            apiVersion: kwok.x-k8s.io/v1alpha1
            kind: Stage
            metadata: {name: %s}
            spec: {resourceRef: {kind: Pod}, %s}
            """
                .formatted(name, spec)),
        new TreeMap<>());
  }

  /** A stage with which nothing is wrong. */
  static Stage stage(String name, String spec) {
    StageReader.Read read = read(name, spec);
    assertThat(read.problems().causes()).isEmpty();
    return read.stage();
  }
}
