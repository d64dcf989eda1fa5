package dev.sluice.model.kueue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.CustomDefinition;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.Tree;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KueueDefinitionsTest {

  static List<ApiObject> definitions() {
    return KueueDefinitions.all();
  }

  @Test
  void thereIsOneForEachOfKueuesKinds() {
    assertThat(definitions().stream().map(one -> new CustomDefinition(one).kind()))
        .containsExactlyInAnyOrder(
            Kinds.RESOURCE_FLAVOR,
            Kinds.CLUSTER_QUEUE,
            Kinds.COHORT,
            Kinds.LOCAL_QUEUE,
            Kinds.WORKLOAD,
            Kinds.WORKLOAD_PRIORITY_CLASS,
            Kinds.ADMISSION_CHECK,
            Kinds.TOPOLOGY,
            Kinds.PROVISIONING_REQUEST_CONFIG,
            Kinds.MULTI_KUEUE_CONFIG,
            Kinds.MULTI_KUEUE_CLUSTER);
  }

  @ParameterizedTest
  @MethodSource("definitions")
  void theNewVersionIsStoredAndTheOldOneIsServedWithAWarning(ApiObject definition) {
    String kind = definition.spec().text("names", "kind");
    Tree stored = definition.spec().trees("versions").getFirst();
    Tree old = definition.spec().trees("versions").getLast();

    assertThat(stored.text("name")).isEqualTo("v1beta2");
    assertThat(stored.flag("storage") && stored.flag("served")).isTrue();
    assertThat(old.text("name")).isEqualTo("v1beta1");
    assertThat(old.flag("storage")).isFalse();
    assertThat(old.flag("served")).isTrue();
    assertThat(old.text("deprecationWarning"))
        .isEqualTo(
            kind.equals("MultiKueueConfig")
                ? ""
                : "kueue.x-k8s.io/v1beta1 %1$s is deprecated; use kueue.x-k8s.io/v1beta2 %1$s"
                    .formatted(kind));
    assertThat(old.flag("deprecated")).isEqualTo(!kind.equals("MultiKueueConfig"));
  }

  @ParameterizedTest
  @MethodSource("definitions")
  void whatHasAStatusHasItAsASubresource(ApiObject definition) {
    for (Tree version : definition.spec().trees("versions")) {
      assertThat(version.tree("subresources").has("status"))
          .isEqualTo(version.tree("schema", "openAPIV3Schema", "properties").has("status"));
    }
  }

  @Test
  void theVersionsOfFiveKindsDifferInShape() {
    assertThat(KueueDefinitions.converted())
        .containsExactly(
            "clusterqueues", "cohorts", "localqueues", "multikueueclusters", "workloads");
  }
}
