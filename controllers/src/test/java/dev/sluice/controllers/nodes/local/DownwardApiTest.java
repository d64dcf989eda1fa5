package dev.sluice.controllers.nodes.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.Tree;
import dev.sluice.testkit.Worlds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DownwardApiTest {
  private static final Pod POD =
      new Pod(
          Worlds.yaml(
              """
              apiVersion: v1
              kind: Pod
              metadata: {name: p, namespace: n, uid: u, labels: {a: "1", b: 'say "x"'}}
              spec:
                nodeName: local
                serviceAccountName: robot
                containers:
                - name: main
                  image: b
                  resources: {requests: {cpu: 250m, memory: 1Mi}, limits: {cpu: 1500m}}
              """));
  private final DownwardApi fields =
      new DownwardApi(POD, "127.0.0.1", Tree.of("cpu", "4", "memory", "8Gi"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          metadata.name               | p
          metadata.namespace          | n
          metadata.uid                | u
          metadata.labels['a']        | 1
          metadata.labels['none']     | ''
          spec.nodeName               | local
          spec.serviceAccountName     | robot
          status.podIP                | 127.0.0.1
          """)
  void aPodIsToldAboutItself(String path, String want) {
    assertThat(fields.field(path)).contains(want);
  }

  @ParameterizedTest
  @CsvSource({
    "requests.cpu, 1, 1",
    "requests.cpu, 1m, 250",
    "limits.cpu, 1, 2",
    "limits.cpu, 1m, 1500",
    "requests.memory, 1, 1048576",
    "limits.memory, 1Gi, 8",
  })
  void amountsAreCountedInTheDivisorAndRoundedUp(String resource, String divisor, String want) {
    assertThat(fields.resource(Tree.of("resource", resource, "divisor", divisor), "main"))
        .contains(want);
  }

  @Test
  void labelsAreLines() {
    assertThat(fields.field("metadata.labels")).contains("a=\"1\"\nb=\"say \\\"x\\\"\"");
  }

  @Test
  void otherFieldsCannotBeAskedFor() {
    assertThat(fields.field("status.phase")).isEmpty();
  }
}
