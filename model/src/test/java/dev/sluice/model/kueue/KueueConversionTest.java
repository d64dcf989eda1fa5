package dev.sluice.model.kueue;

import static dev.sluice.model.kueue.KueueConversion.V1BETA1;
import static dev.sluice.model.kueue.KueueConversion.V1BETA2;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class KueueConversionTest {

  /** Both say the same. */
  record Pair(String name, String kind, String v1beta1, String v1beta2) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** What one version says, and what is left of it in the other. */
  record OneWay(String name, String kind, String from, String to) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Pair> PAIRS =
      List.of(
          new Pair(
              "the cohort of a ClusterQueue",
              "ClusterQueue",
              "spec: {cohort: all, stopPolicy: Hold}",
              "spec: {cohortName: all, stopPolicy: Hold}"),
          new Pair(
              "checks for some flavors",
              "ClusterQueue",
              "spec: {admissionChecksStrategy: {admissionChecks: [{name: a, onFlavors: [f]}]}}",
              "spec: {admissionChecksStrategy: {admissionChecks: [{name: a, onFlavors: [f]}]}}"),
          new Pair(
              "what a LocalQueue uses",
              "LocalQueue",
              "{spec: {clusterQueue: cq}, status: {flavorsReservation: [{name: f}], flavorUsage:"
                  + " [{name: g}]}}",
              "{spec: {clusterQueue: cq}, status: {flavorsReservation: [{name: f}], flavorsUsage:"
                  + " [{name: g}]}}"),
          new Pair(
              "a Cohort",
              "Cohort",
              "{spec: {parentName: all}, status: {fairSharing: {weightedShare: 3}}}",
              "{spec: {parentName: all}, status: {fairSharing: {weightedShare: 3}}}"),
          new Pair(
              "a priority from a WorkloadPriorityClass",
              "Workload",
              "spec: {priority: 7, priorityClassName: high, priorityClassSource:"
                  + " kueue.x-k8s.io/workloadpriorityclass}",
              "spec: {priority: 7, priorityClassRef: {group: kueue.x-k8s.io, kind:"
                  + " WorkloadPriorityClass, name: high}}"),
          new Pair(
              "a priority from a PriorityClass",
              "Workload",
              "spec: {priority: 7, priorityClassName: high, priorityClassSource:"
                  + " scheduling.k8s.io/priorityclass}",
              "spec: {priority: 7, priorityClassRef: {group: scheduling.k8s.io, kind:"
                  + " PriorityClass, name: high}}"),
          new Pair(
              "the misspelt time of earlier admissions",
              "Workload",
              "status: {accumulatedPastExexcutionTimeSeconds: 5}",
              "status: {accumulatedPastExecutionTimeSeconds: 5}"),
          new Pair(
              "domains that are alike",
              "Workload",
              """
              status: {admission: {clusterQueue: cq, podSetAssignments: [{name: main, topologyAssignment: {
                levels: [block, rack],
                domains: [{values: [b1, rack-1-x], count: 4}, {values: [b1, rack-22-x], count: 2}]}}]}}
              """,
              """
              status: {admission: {clusterQueue: cq, podSetAssignments: [{name: main, topologyAssignment: {
                levels: [block, rack],
                slices: [{domainCount: 2, podCounts: {individual: [4, 2]}, valuesPerLevel: [
                  {universal: b1}, {individual: {prefix: rack-, suffix: -x, roots: ["1", "22"]}}]}]}}]}}
              """),
          new Pair(
              "a beginning that would reach into the end",
              "Workload",
              """
              status: {admission: {podSetAssignments: [{topologyAssignment: {
                levels: [host], domains: [{values: [aa], count: 1}, {values: [aaa], count: 1}]}}]}}
              """,
              """
              status: {admission: {podSetAssignments: [{topologyAssignment: {
                levels: [host], slices: [{domainCount: 2, podCounts: {universal: 1}, valuesPerLevel: [
                  {individual: {suffix: aa, roots: ["", a]}}]}]}}]}}
              """),
          new Pair(
              "two domains of one name",
              "Workload",
              """
              status: {admission: {podSetAssignments: [{topologyAssignment: {
                levels: [host], domains: [{values: [h], count: 1}, {values: [h], count: 1}]}}]}}
              """,
              """
              status: {admission: {podSetAssignments: [{topologyAssignment: {
                levels: [host], slices: [{domainCount: 2, podCounts: {universal: 1}, valuesPerLevel: [
                  {individual: {suffix: h, roots: ["", ""]}}]}]}}]}}
              """),
          new Pair(
              "no domains",
              "Workload",
              "status: {admission: {podSetAssignments: [{topologyAssignment: {levels: [host],"
                  + " domains: []}}]}}",
              "status: {admission: {podSetAssignments: [{topologyAssignment: {levels: [host],"
                  + " slices: []}}]}}"),
          new Pair(
              "the kubeconfig of a cluster",
              "MultiKueueCluster",
              "spec: {kubeConfig: {location: secret, locationType: Secret}}",
              "spec: {clusterSource: {kubeConfig: {location: secret, locationType: Secret}}}"),
          new Pair(
              "a kind of one shape",
              "ResourceFlavor",
              "spec: {nodeLabels: {a: b}}",
              "spec: {nodeLabels: {a: b}}"),
          new Pair("an object without anything", "Workload", "{}", "{}"));

  static final List<OneWay> TO_V1BETA2 =
      List.of(
          new OneWay(
              "old words for a search that stops",
              "ClusterQueue",
              "spec: {flavorFungibility: {whenCanBorrow: Borrow, whenCanPreempt: Preempt}}",
              "spec: {flavorFungibility: {whenCanBorrow: MayStopSearch, whenCanPreempt:"
                  + " MayStopSearch}}"),
          new OneWay(
              "words that did not change",
              "ClusterQueue",
              "spec: {flavorFungibility: {whenCanBorrow: TryNextFlavor, whenCanPreempt:"
                  + " MayStopSearch}}",
              "spec: {flavorFungibility: {whenCanBorrow: TryNextFlavor, whenCanPreempt:"
                  + " MayStopSearch}}"),
          new OneWay(
              "a plain list of checks",
              "ClusterQueue",
              "spec: {admissionChecks: [a, b]}",
              "spec: {admissionChecksStrategy: {admissionChecks: [{name: a}, {name: b}]}}"),
          new OneWay(
              "a plain list in the place of what an earlier one became",
              "ClusterQueue",
              "spec: {admissionChecks: [a, b], admissionChecksStrategy: {admissionChecks: [{name:"
                  + " b, onFlavors: [f]}, {name: c}]}}",
              "spec: {admissionChecksStrategy: {admissionChecks: [{name: a}, {name: b}]}}"),
          new OneWay(
              "an empty list of checks", "ClusterQueue", "spec: {admissionChecks: []}", "spec: {}"),
          new OneWay(
              "status that nobody writes any more",
              "ClusterQueue",
              "status: {pendingWorkloadsStatus: {lastChangeTime: x}, fairSharing: {weightedShare:"
                  + " 1, admissionFairSharingStatus: {lastUpdate: x}}}",
              "status: {fairSharing: {weightedShare: 1}}"),
          new OneWay(
              "the same of a Cohort",
              "Cohort",
              "status: {fairSharing: {weightedShare: 1, admissionFairSharingStatus: {lastUpdate:"
                  + " x}}}",
              "status: {fairSharing: {weightedShare: 1}}"),
          new OneWay(
              "a LocalQueue's flavors",
              "LocalQueue",
              "status: {flavors: [{name: f}]}",
              "status: {}"),
          new OneWay(
              "a delay that nobody reads",
              "AdmissionCheck",
              "spec: {controllerName: c, retryDelayMinutes: 15}",
              "spec: {controllerName: c}"),
          new OneWay(
              "a class of no kind",
              "Workload",
              "spec: {priorityClassName: high, priorityClassSource: ''}",
              "spec: {}"),
          new OneWay(
              "a kind of class without a name",
              "Workload",
              "spec: {priorityClassSource: scheduling.k8s.io/priorityclass}",
              "spec: {}"));

  static final List<OneWay> TO_V1BETA1 =
      List.of(
          new OneWay(
              "gates, and slices within slices",
              "Workload",
              """
              spec:
                preemptionGates: [{name: g}]
                podSets: [{topologyRequest: {required: rack, podsetSliceRequiredTopologyConstraints: [{topology: host, size: 2}]}}]
              status: {preemptionGates: [{name: g, position: Open}], clusterName: c}
              """,
              "{spec: {podSets: [{topologyRequest: {required: rack}}]}, status: {clusterName: c}}"),
          new OneWay(
              "who manages quota",
              "MultiKueueConfig",
              "spec: {clusters: [a], quotaManagement: Automated}",
              "spec: {clusters: [a]}"),
          new OneWay(
              "a class of another group",
              "Workload",
              "spec: {priorityClassRef: {group: example.com, kind: PriorityClass, name: a}}",
              "spec: {}"),
          new OneWay(
              "several slices, and every way to write them",
              "Workload",
              """
              status: {admission: {podSetAssignments: [{topologyAssignment: {levels: [rack, host], slices: [
                {domainCount: 1, podCounts: {universal: 3}, valuesPerLevel: [{universal: r1}, {universal: h1}]},
                {domainCount: 2, podCounts: {individual: [1, 2]}, valuesPerLevel: [
                  {individual: {prefix: r, roots: ["2", "3"]}}, {individual: {suffix: h, roots: [x, y]}}]}]}}]}}
              """,
              """
              status: {admission: {podSetAssignments: [{topologyAssignment: {levels: [rack, host], domains: [
                {values: [r1, h1], count: 3}, {values: [r2, xh], count: 1}, {values: [r3, yh], count: 2}]}}]}}
              """),
          new OneWay(
              "more domains than are written down",
              "Workload",
              """
              status: {admission: {podSetAssignments: [{topologyAssignment: {levels: [host], slices: [
                {domainCount: 2147483647, podCounts: {universal: 1}, valuesPerLevel: [{universal: h}]}]}}]}}
              """,
              "status: {admission: {podSetAssignments: [{topologyAssignment: {levels: [host],"
                  + " domains: [{values: [h], count: 1}]}}]}}"),
          new OneWay(
              "a cluster that a profile tells of",
              "MultiKueueCluster",
              "spec: {clusterSource: {clusterProfileRef: {name: a}}}",
              "spec: {}"));

  /** The table of docs/specification/api-versions.md#conversion, row by row. */
  @ParameterizedTest
  @FieldSource("PAIRS")
  void bothVersionsSayTheSame(Pair pair) {
    ApiObject old = object(V1BETA1, pair.kind(), pair.v1beta1());
    ApiObject stored = object(V1BETA2, pair.kind(), pair.v1beta2());

    assertThat(KueueConversion.convert(old, V1BETA2)).isEqualTo(stored);
    assertThat(KueueConversion.convert(stored, V1BETA1)).isEqualTo(old);
    assertThat(KueueConversion.convert(stored, V1BETA2)).isSameAs(stored);
  }

  @ParameterizedTest
  @FieldSource("TO_V1BETA2")
  void theNewVersionHasOneWordForAThing(OneWay way) {
    ApiObject old = object(V1BETA1, way.kind(), way.from());

    assertThat(KueueConversion.convert(old, V1BETA2))
        .isEqualTo(object(V1BETA2, way.kind(), way.to()));
  }

  @ParameterizedTest
  @FieldSource("TO_V1BETA1")
  void theOldVersionCannotSayAll(OneWay way) {
    ApiObject stored = object(V1BETA2, way.kind(), way.from());

    assertThat(KueueConversion.convert(stored, V1BETA1))
        .isEqualTo(object(V1BETA1, way.kind(), way.to()));
  }

  @Test
  void aVersionThatKueueDoesNotHaveIsRefused() {
    ApiObject queue = object(V1BETA2, "LocalQueue", "{}");

    assertThatThrownBy(() -> KueueConversion.convert(queue, "kueue.x-k8s.io/v1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "cannot convert LocalQueue team/a: \"kueue.x-k8s.io/v1\" is neither"
                + " kueue.x-k8s.io/v1beta1 nor kueue.x-k8s.io/v1beta2");
    assertThatThrownBy(() -> KueueConversion.convert(object("v1", "Pod", "{}"), V1BETA1))
        .hasMessageContaining("cannot convert Pod team/a: \"v1\"");
  }

  private static ApiObject object(String apiVersion, String kind, String yaml) {
    return ApiObject.of(Yaml.parseAll(yaml).getFirst())
        .with(List.of("apiVersion"), apiVersion)
        .with(List.of("kind"), kind)
        .with(List.of("metadata"), Tree.of("namespace", "team", "name", "a"));
  }
}
