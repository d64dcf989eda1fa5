package dev.sluice.conformance.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.conformance.Eventually;
import dev.sluice.conformance.RealCluster;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.kubernetes.CrdInstaller;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.RealTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@RequiresKubernetes
@Timeout(120)
class CrdInstallerIT {
  private static final ResourceKind SLUICE_GATE =
      new ResourceKind("test.sluice.dev", "v1", "SluiceGate", "sluicegates", true);

  private final RealKubernetes kubernetes;
  private final RealTime time = new RealTime();

  CrdInstallerIT(RealKubernetes kubernetes) {
    this.kubernetes = kubernetes;
  }

  @AfterEach
  void close() {
    time.close();
  }

  private KubernetesCluster connect(Path kubeconfig) {
    return RealCluster.of(kubeconfig, time);
  }

  private static void install(KubernetesCluster cluster, ApiObject definition) {
    new CrdInstaller(cluster, Duration.ofSeconds(60)).install(List.of(definition));
  }

  @Test
  void bringsAKindAndLaterItsNewFields() {
    try (var cluster = connect(kubernetes.kubeconfig())) {
      ApiException unknown =
          catchThrowableOfType(ApiException.class, () -> cluster.list(SLUICE_GATE));
      assertThat(unknown.failure().reason()).isEqualTo(Reason.NOT_FOUND);
      assertThat(unknown).hasMessageContaining("CustomResourceDefinition");

      install(cluster, definition("width: {type: integer}"));
      ApiObject gate =
          ApiObject.of(SLUICE_GATE, "default", "a").withSpec(Tree.of("width", 3, "height", 4));
      ApiObject narrow = cluster.create(SLUICE_GATE, gate);
      assertThat(narrow.spec()).isEqualTo(Tree.of("width", 3));
      assertThat(cluster.list(SLUICE_GATE)).containsExactly(narrow);

      install(cluster, definition("width: {type: integer}, height: {type: integer}"));
      // The server needs some time to serve a changed definition.
      Eventually.holds(
          "the new field is kept",
          () -> {
            ApiObject now = cluster.get(narrow.key(SLUICE_GATE)).orElseThrow();
            return cluster.update(SLUICE_GATE, now.withSpec(gate.spec())).spec().has("height");
          });
      ApiObject installed = read(cluster);
      install(cluster, definition("width: {type: integer}, height: {type: integer}"));
      assertThat(read(cluster)).isEqualTo(installed);
    }
  }

  @Test
  void saysWhatIsMissingToAUserWhoMayNot() {
    try (var cluster = connect(kubernetes.kubeconfigOfOrdinaryUser())) {
      ApiException refused =
          catchThrowableOfType(
              ApiException.class, () -> install(cluster, definition("width: {type: integer}")));

      assertThat(refused.failure().reason()).isEqualTo(Reason.FORBIDDEN);
      assertThat(refused)
          .hasMessageContaining("CustomResourceDefinition")
          .hasMessageContaining("list and watch");
    }
  }

  private static ApiObject read(KubernetesCluster cluster) {
    return cluster
        .get(Kinds.CUSTOM_RESOURCE_DEFINITION.key("sluicegates.test.sluice.dev"))
        .orElseThrow();
  }

  private static ApiObject definition(String fields) {
    String yaml =
        """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata:
          name: sluicegates.test.sluice.dev
        spec:
          group: test.sluice.dev
          scope: Namespaced
          names: {kind: SluiceGate, plural: sluicegates}
          versions:
          - name: v1
            served: true
            storage: true
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec: {type: object, properties: {%s}}
        """
            .formatted(fields);
    return ApiObject.of(Yaml.parseAll(yaml).getFirst());
  }
}
