package dev.sluice.conformance.kueue;

import static dev.sluice.conformance.kueue.KueueLimitsIT.many;
import static dev.sluice.conformance.kueue.KueueLimitsIT.object;

import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.model.ApiObject;
import java.util.List;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What API servers, a real one and ours, refuse of Workloads because our definition says so. */
@RequiresKubernetes
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KueueWorkloadRulesIT extends KueueRules {
  private static final String POD_SETS = "podSets: [{template: {}}]";
  private static final String CHECK =
      "name: c, state: Ready, message: '', lastTransitionTime: '2026-01-02T03:04:05Z'";

  static final List<KueueLimitsIT.Case> SPECS =
      List.of(
          spec("podSets: []", "at least 1 items"),
          spec("podSets: [%s]".formatted(many(19, "{name: a%d, template: {}}")), "at most 18"),
          spec("podSets: [{template: {}}, {template: {}}]", "Duplicate value"),
          podSet("name: Main", "name in body should match"),
          podSet("name: %s".formatted("a".repeat(64)), "may not be more than 63"),
          podSet("count: -1", "greater than or equal to 0"),
          podSet("minCount: 0", "greater than or equal to 1"),
          podSet("count: 3, minCount: 4", "minCount cannot be more than count"),
          spec(
              "podSets: [%s]".formatted(many(2, "{name: a%d, minCount: 1, template: {}}")),
              "only one pod set can have a minCount"),
          spec("podSets: [{count: 1}]", "template: Required value"),
          topology("required: %s".formatted("a".repeat(64)), "may not be more than 63"),
          topology("podIndexLabel: %s".formatted("a".repeat(318)), "may not be more than 317"),
          topology("podSetGroupName: %s".formatted("a".repeat(257)), "may not be more than 256"),
          topology("podSetSliceSize: 2", "set both podSetSliceRequiredTopology and"),
          topology(
              "podSetSliceRequiredTopology: a, podSetSliceSize: 0", "greater than or equal to 1"),
          topology(
              "podsetSliceRequiredTopologyConstraints: [%s]"
                  .formatted(many(4, "{topology: a, size: 1}")),
              "at most 3"),
          topology(
              "podsetSliceRequiredTopologyConstraints: [{topology: a, size: 0}]",
              "greater than or equal to 1"),
          spec("queueName: a_b, " + POD_SETS, "queueName in body should match"),
          spec(
              "priorityClassRef: {group: kueue.x-k8s.io, kind: WorkloadPriorityClass, name: a}, "
                  + POD_SETS,
              "priorityClassRef needs a priority"),
          spec(
              "priority: 1, priorityClassRef: {group: kueue.x-k8s.io, kind: PriorityClass, name:"
                  + " a}, "
                  + POD_SETS,
              "is a kind of kueue.x-k8s.io"),
          spec(
              "priority: 1, priorityClassRef: {group: scheduling.k8s.io, kind:"
                  + " WorkloadPriorityClass, name: a}, "
                  + POD_SETS,
              "is a kind of kueue.x-k8s.io"),
          spec("maximumExecutionTimeSeconds: 0, " + POD_SETS, "greater than or equal to 1"),
          spec("preemptionGates: [%s], ".formatted(many(9, "{name: a%d}")) + POD_SETS, "at most 8"),
          spec(
              "preemptionGates: [{name: %s}], ".formatted("a".repeat(64)) + POD_SETS,
              "may not be more than 63"),
          KueueLimitsIT.old(
              "Workload", "spec: {priorityClassName: a, " + POD_SETS + "}", "needs a priority"),
          KueueLimitsIT.old(
              "Workload",
              "spec: {priorityClassSource: mine, " + POD_SETS + "}",
              "Unsupported value: \"mine\""));

  static final List<KueueLimitsIT.Case> STATUSES =
      List.of(
          status(
              condition("QuotaReserved")
                  + ", admission: {clusterQueue: a, podSetAssignments: [{}, {name: b}]}",
              "an assignment for each pod set"),
          status("admission: {clusterQueue: a}", "podSetAssignments: Required value"),
          assignment("delayedTopologyRequest: Never", "supported values: \"Pending\", \"Ready\""),
          assignment("count: -1", "greater than or equal to 0"),
          slice(
              "1, valuesPerLevel: [{universal: a}], podCounts: {universal: 1}",
              "entry for each of levels"),
          slice(
              "1, valuesPerLevel: [{universal: a}, {}], podCounts: {universal: 1}",
              "exactly one of universal and individual"),
          slice(
              "1, valuesPerLevel: [{universal: a}, {universal: b}], podCounts: {universal: 1,"
                  + " individual: [1]}",
              "exactly one of universal and individual"),
          slice(
              "2, valuesPerLevel: [{universal: a}, {individual: {roots: [a]}}], podCounts:"
                  + " {universal: 1}",
              "individual.roots needs an entry for each domain"),
          slice(
              "1, valuesPerLevel: [{universal: a}, {universal: b}], podCounts: {individual: [1,"
                  + " 2]}",
              "podCounts.individual needs an entry for each domain"),
          slice(
              "2147483647, valuesPerLevel: [{universal: a}, {universal: b}], podCounts: {universal:"
                  + " 1}",
              "two domains need different values"),
          slice(
              "0, valuesPerLevel: [{universal: a}, {universal: b}], podCounts: {universal: 1}",
              "greater than or equal to 1"),
          status("requeueState: {count: -1}", "greater than or equal to 0"),
          status("reclaimablePods: [{name: main, count: -1}]", "greater than or equal to 0"),
          status(
              "reclaimablePods: [%s]".formatted(many(19, "{name: a%d, count: 1}")), "at most 18"),
          status(
              "admissionChecks: [{name: a, state: Ready, message: ''}]",
              "lastTransitionTime: Required"),
          status(
              "admissionChecks: [{%s, retryCount: -1}]".formatted(CHECK),
              "greater than or equal to 0"),
          status("admissionChecks: [{%1$s}, {%1$s}]".formatted(CHECK), "Duplicate value"),
          status(
              "admissionChecks: [{%s, podSetUpdates: [{name: main, tolerations: [{value: a}]}]}]"
                  .formatted(CHECK),
              "without a key needs the operator Exists"),
          status("nominatedClusterNames: [a], clusterName: b", "cannot be set together"),
          status("nominatedClusterNames: [%s]".formatted(many(21, "a%d")), "at most 20"),
          status("unhealthyNodes: [%s]".formatted(many(9, "{name: a%d}")), "at most 8"),
          status(
              "preemptionGates: [{name: a, position: Ajar, lastTransitionTime:"
                  + " '2026-01-02T03:04:05Z'}]",
              "supported values: \"Open\", \"Closed\""),
          status(
              "schedulingStats: {evictions: [%1$s, %1$s]}"
                  .formatted("{reason: a, underlyingCause: b, count: 1}"),
              "Duplicate value"));

  KueueWorkloadRulesIT(RealKubernetes kubernetes) {
    super(kubernetes);
  }

  @ParameterizedTest
  @FieldSource({"SPECS", "STATUSES"})
  void isRefused(KueueLimitsIT.Case refused) {
    ApiObject workload = object(refused.kind(), newName(), refused.yaml());

    KueueLimitsIT.assertRefused(servers, workload, refused.complaint());
  }

  private static KueueLimitsIT.Case spec(String fields, String complaint) {
    return new KueueLimitsIT.Case("Workload", "spec: {" + fields + "}", complaint);
  }

  private static KueueLimitsIT.Case podSet(String fields, String complaint) {
    return spec("podSets: [{template: {}, %s}]".formatted(fields), complaint);
  }

  private static KueueLimitsIT.Case topology(String fields, String complaint) {
    return podSet("topologyRequest: {%s}".formatted(fields), complaint);
  }

  private static KueueLimitsIT.Case status(String fields, String complaint) {
    return new KueueLimitsIT.Case(
        "Workload", "{spec: {%s}, status: {%s}}".formatted(POD_SETS, fields), complaint);
  }

  private static KueueLimitsIT.Case assignment(String fields, String complaint) {
    return status(
        "admission: {clusterQueue: a, podSetAssignments: [{%s}]}".formatted(fields), complaint);
  }

  /** A slice of an assignment to domains of two levels. */
  private static KueueLimitsIT.Case slice(String domainCountAndMore, String complaint) {
    return assignment(
        "topologyAssignment: {levels: [rack, host], slices: [{domainCount: %s}]}"
            .formatted(domainCountAndMore),
        complaint);
  }

  static String condition(String type) {
    return "conditions: [{type: %s, status: 'True', reason: R, message: '', lastTransitionTime: '2026-01-02T03:04:05Z'}]"
        .formatted(type);
  }
}
