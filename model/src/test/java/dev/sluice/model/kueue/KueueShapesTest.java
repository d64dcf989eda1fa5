package dev.sluice.model.kueue;

import static dev.sluice.model.kueue.KueueConversion.V1BETA1;
import static dev.sluice.model.kueue.KueueConversion.V1BETA2;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * What clients rely on besides the fields: names, columns, and how lists are merged. A list that is
 * merged by other keys than Kueue's would let two writers take entries from each other.
 */
class KueueShapesTest {

  /** How a kind is asked for, and what a table shows of it; a column in brackets only if wide. */
  record Shown(String kind, String scope, String shortNames, String columns) {
    @Override
    public String toString() {
      return kind;
    }
  }

  static final List<Shown> SHOWN =
      List.of(
          new Shown(
              "ClusterQueue",
              "Cluster",
              "cq",
              "Cohort, [Strategy], Pending Workloads, [Admitted Workloads]"),
          new Shown("Cohort", "Cluster", "co", ""),
          new Shown(
              "LocalQueue",
              "Namespaced",
              "queue, queues, lq",
              "ClusterQueue, Pending Workloads, Admitted Workloads"),
          new Shown(
              "Workload",
              "Namespaced",
              "kwl, kueueworkload, kueueworkloads",
              "Queue, Reserved in, Admitted, Finished, Age"),
          new Shown("ResourceFlavor", "Cluster", "flavor, flavors, rf", ""),
          new Shown("AdmissionCheck", "Cluster", "ac", ""),
          new Shown("WorkloadPriorityClass", "Cluster", "wpc", "Value"),
          new Shown("Topology", "Cluster", "topo", ""),
          new Shown("ProvisioningRequestConfig", "Cluster", "prc", ""),
          new Shown("MultiKueueCluster", "Cluster", "mkc", "Connected, Age"),
          new Shown("MultiKueueConfig", "Cluster", "mkconf", ""));

  @ParameterizedTest
  @FieldSource("SHOWN")
  void aKindHasKueuesNamesAndColumns(Shown shown) {
    Tree definition = Schemas.definition(shown.kind());

    assertThat(definition.text("scope")).isEqualTo(shown.scope());
    assertThat(String.join(", ", definition.tree("names").textItems("shortNames")))
        .isEqualTo(shown.shortNames());
    for (Tree version : definition.trees("versions")) {
      assertThat(columns(version)).as(version.text("name")).isEqualTo(shown.columns());
    }
  }

  private static String columns(Tree version) {
    return version.trees("additionalPrinterColumns").stream()
        .map(column -> column.has("priority") ? "[" + name(column) + "]" : name(column))
        .collect(Collectors.joining(", "));
  }

  private static String name(Tree column) {
    return column.text("name");
  }

  @Test
  void workloadsAreSelectedByTheQueueTheyAreIn() {
    List<Tree> versions = Schemas.definition("Workload").trees("versions");

    assertThat(versions.getFirst().trees("selectableFields"))
        .containsExactly(Tree.of("jsonPath", ".status.admission.clusterQueue"));
    assertThat(versions.getLast().has("selectableFields")).isFalse();
  }

  /** Every list of a kind in v1beta2: how it is merged, and how long it can be. */
  record Lists(String kind, String want) {
    @Override
    public String toString() {
      return kind;
    }
  }

  private static final String GROUPS =
      """
      spec.resourceGroups atomic 0..16
      spec.resourceGroups[].coveredResources set 1..64
      spec.resourceGroups[].flavors map(name) 1..64
      spec.resourceGroups[].flavors[].resources map(name) 1..64
      """;

  static final List<Lists> LISTS =
      List.of(
          new Lists(
              "ResourceFlavor",
              """
              spec.nodeTaints atomic 0..8
              spec.tolerations atomic 0..8
              """),
          new Lists(
              "ClusterQueue",
              """
              spec.admissionChecksStrategy.admissionChecks map(name) 1..64
              spec.admissionChecksStrategy.admissionChecks[].onFlavors set 0..64
              spec.namespaceSelector.matchExpressions atomic
              spec.namespaceSelector.matchExpressions[].values atomic
              """
                  + GROUPS
                  + """
                  status.conditions map(type) 0..16
                  status.flavorsReservation map(name) 0..256
                  status.flavorsReservation[].resources map(name) 0..64
                  status.flavorsUsage map(name) 0..256
                  status.flavorsUsage[].resources map(name) 0..64
                  """),
          new Lists("Cohort", GROUPS),
          new Lists(
              "LocalQueue",
              """
              status.conditions map(type) 0..16
              status.flavorsReservation map(name) 0..256
              status.flavorsReservation[].resources map(name) 0..64
              status.flavorsUsage map(name) 0..256
              status.flavorsUsage[].resources map(name) 0..64
              """),
          new Lists(
              "Workload",
              """
              spec.podSets map(name) 1..18
              spec.podSets[].topologyRequest.podsetSliceRequiredTopologyConstraints atomic 0..3
              spec.preemptionGates map(name) 0..8
              status.admission.podSetAssignments map(name) 0..18
              status.admission.podSetAssignments[].topologyAssignment.levels atomic 1..16
              status.admission.podSetAssignments[].topologyAssignment.slices atomic 0..1000
              status.admission.podSetAssignments[].topologyAssignment.slices[].podCounts.individual atomic 1..100000
              status.admission.podSetAssignments[].topologyAssignment.slices[].valuesPerLevel atomic 1..16
              status.admission.podSetAssignments[].topologyAssignment.slices[].valuesPerLevel[].individual.roots atomic 1..100000
              status.admissionChecks map(name) 0..64
              status.admissionChecks[].podSetUpdates atomic 0..18
              status.admissionChecks[].podSetUpdates[].tolerations atomic 0..8
              status.conditions map(type) 0..16
              status.nominatedClusterNames atomic 0..20
              status.preemptionGates map(name) 0..8
              status.reclaimablePods map(name) 0..18
              status.resourceRequests map(name) 0..18
              status.schedulingStats.evictions map(reason, underlyingCause) 0..256
              status.unhealthyNodes map(name) 0..8
              """),
          new Lists("WorkloadPriorityClass", ""),
          new Lists("AdmissionCheck", "status.conditions map(type) 0..16\n"),
          new Lists("Topology", "spec.levels atomic 1..16\n"),
          new Lists(
              "ProvisioningRequestConfig",
              """
              spec.managedResources set 0..100
              spec.podSetUpdates.nodeSelector map(key) 0..8
              """),
          new Lists("MultiKueueConfig", "spec.clusters atomic 1..20\n"),
          new Lists("MultiKueueCluster", "status.conditions map(type) 0..16\n"));

  @ParameterizedTest
  @FieldSource("LISTS")
  void everyListSaysHowItIsMerged(Lists lists) {
    assertThat(lists(lists.kind(), V1BETA2))
        .containsExactlyElementsOf(lists.want().lines().toList());
  }

  /** In the older version conditions are unbounded, and the order of clusters is not kept. */
  @ParameterizedTest
  @FieldSource("LISTS")
  void theOlderVersionMergesTheSameListsAlike(Lists lists) {
    List<String> old =
        lists
            .want()
            .lines()
            .map(line -> line.replace("conditions map(type) 0..16", "conditions map(type)"))
            .map(line -> line.replace("status.flavorsUsage", usage(lists.kind())))
            .map(line -> line.replace("spec.clusters atomic", "spec.clusters set"))
            .filter(line -> !line.contains("reemptionGates") && !line.contains("Constraints"))
            .filter(line -> !line.contains("topologyAssignment.slices"))
            .toList();

    assertThat(lists(lists.kind(), V1BETA1)).containsAll(old);
    assertThat(lists(lists.kind(), V1BETA1)).noneMatch(line -> line.contains(" unknown"));
  }

  private static String usage(String kind) {
    return kind.equals("LocalQueue") ? "status.flavorUsage" : "status.flavorsUsage";
  }

  private static List<String> lists(String kind, String apiVersion) {
    var lists = new ArrayList<String>();
    collect(Schemas.of(kind, apiVersion), "", lists);
    return lists.stream().sorted().toList();
  }

  private static void collect(Tree schema, String path, List<String> lists) {
    if (schema.text("type").equals("array")) {
      lists.add(path + " " + merged(schema) + bounds(schema));
      collect(schema.tree("items"), path + "[]", lists);
    }
    schema
        .tree("properties")
        .forEach((name, property) ->
            collect(property.asTree(), path.isEmpty() ? name : path + "." + name, lists));
  }

  private static String merged(Tree schema) {
    List<String> keys = schema.textItems("x-kubernetes-list-map-keys");
    String how = schema.text("x-kubernetes-list-type");
    return how.isEmpty()
        ? "unknown"
        : keys.isEmpty() ? how : how + "(" + String.join(", ", keys) + ")";
  }

  private static String bounds(Tree schema) {
    return schema.has("maxItems")
        ? " " + schema.whole("minItems").orElse(0) + ".." + schema.whole("maxItems").orElseThrow()
        : "";
  }
}
