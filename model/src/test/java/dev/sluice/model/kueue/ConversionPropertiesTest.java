package dev.sluice.model.kueue;

import static dev.sluice.model.kueue.KueueConversion.V1BETA1;
import static dev.sluice.model.kueue.KueueConversion.V1BETA2;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever an object says: what goes there and back says the same, but for what is lost. */
class ConversionPropertiesTest {
  private static final int ROUNDS = 300;

  private final long seed = Long.getLong("seed", System.nanoTime());
  private final RandomObjects objects = new RandomObjects(new SplittableRandom(seed));

  static List<String> kinds() {
    return KueueDefinitions.all().stream()
        .filter(definition -> KueueDefinitions.converted().contains(plural(definition)))
        .map(definition -> definition.spec().text("names", "kind"))
        .toList();
  }

  private static String plural(ApiObject definition) {
    return definition.spec().text("names", "plural");
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void theStoredVersionSurvivesTheOldOne(String kind) {
    for (int round = 0; round < ROUNDS; round++) {
      ApiObject stored = objects.object(kind, V1BETA2);
      ApiObject old = KueueConversion.convert(stored, V1BETA1);
      ApiObject again = KueueConversion.convert(old, V1BETA2);

      assertThat(Schemas.unknownFields(old)).as("seed %d: %s", seed, stored).isEmpty();
      assertThat(places(again)).as("seed %d", seed).isEqualTo(places(withoutNewFields(stored)));
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void theOldVersionSurvivesTheStoredOne(String kind) {
    for (int round = 0; round < ROUNDS; round++) {
      ApiObject old = objects.object(kind, V1BETA1);
      ApiObject stored = KueueConversion.convert(old, V1BETA2);
      ApiObject again = KueueConversion.convert(stored, V1BETA1);

      assertThat(Schemas.unknownFields(stored)).as("seed %d: %s", seed, old).isEmpty();
      assertThat(withoutOldFields(again)).as("seed %d", seed).isEqualTo(withoutOldFields(old));
    }
  }

  /** Slices are cut anew, so they are compared by the domains they stand for. */
  private static Tree places(ApiObject object) {
    return Fields.within(
        object.tree(),
        "status",
        status ->
            Fields.within(
                status,
                "admission",
                admission ->
                    Fields.each(
                        admission,
                        "podSetAssignments",
                        assignment ->
                            Fields.within(
                                assignment,
                                "topologyAssignment",
                                TopologyAssignmentVersions::toDomains))));
  }

  /** Without what v1beta1 cannot say. */
  private static ApiObject withoutNewFields(ApiObject stored) {
    return switch (stored.kind()) {
      case "Workload" ->
          new ApiObject(
              Fields.within(
                  stored
                      .without(List.of("spec", "preemptionGates"))
                      .without(List.of("status", "preemptionGates"))
                      .tree(),
                  "spec",
                  spec ->
                      Fields.each(
                          spec,
                          "podSets",
                          podSet ->
                              podSet.without(
                                  List.of(
                                      "topologyRequest",
                                      "podsetSliceRequiredTopologyConstraints")))));
      case "MultiKueueCluster" -> {
        List<String> source = List.of("spec", "clusterSource");
        yield stored.spec().at("clusterSource", "kubeConfig") instanceof Tree
            ? stored.without(List.of("spec", "clusterSource", "clusterProfileRef"))
            : stored.without(source);
      }
      default -> stored;
    };
  }

  /** Without what v1beta2 says in other words only, or not at all. */
  private static ApiObject withoutOldFields(ApiObject old) {
    return switch (old.kind()) {
      case "ClusterQueue" ->
          old.without(List.of("spec", "admissionChecks"))
              .without(List.of("spec", "admissionChecksStrategy"))
              .without(List.of("spec", "flavorFungibility"))
              .without(List.of("status", "pendingWorkloadsStatus"))
              .without(List.of("status", "fairSharing", "admissionFairSharingStatus"));
      case "Cohort" -> old.without(List.of("status", "fairSharing", "admissionFairSharingStatus"));
      case "LocalQueue" -> old.without(List.of("status", "flavors"));
      case "Workload" ->
          old.spec().text("priorityClassName").isEmpty()
                  || old.spec().text("priorityClassSource").isEmpty()
              ? old.without(List.of("spec", "priorityClassName"))
                  .without(List.of("spec", "priorityClassSource"))
              : old;
      default -> old;
    };
  }
}
