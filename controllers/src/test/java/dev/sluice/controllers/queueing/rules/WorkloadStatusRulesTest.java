package dev.sluice.controllers.queueing.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.model.ApiObject;
import dev.sluice.model.kueue.KueueNames;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The validation of the status of a Workload with the pod sets a (4 pods) and b (2 pods). */
class WorkloadStatusRulesTest {
  private static final WorkloadRules RULES = new WorkloadRules(Configuration.DEFAULT);
  private static final String PENDING = "conditions: [{type: QuotaReserved, status: 'False'}]";
  private static final String RESERVED = "conditions: [{type: QuotaReserved, status: 'True'}]";
  private static final String ADMITTED = RESERVED + ", " + admission("{name: a, count: 4}");

  record Case(String name, String before, String accepted, String refused, String field) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("what is reserved is said", PENDING, ADMITTED, RESERVED, "status.admission"),
          new Case(
              "it is said of pod sets there are",
              PENDING,
              RESERVED + ", " + admission("{name: b, count: 2}"),
              RESERVED + ", " + admission("{name: c, count: 2}"),
              "status.admission.podSetAssignments[0].name"),
          new Case(
              "every pod has the same part of the cpus",
              PENDING,
              RESERVED + ", " + admission("{name: a, count: 4, resourceUsage: {cpu: 1}}"),
              RESERVED + ", " + admission("{name: a, count: 3, resourceUsage: {cpu: 1}}"),
              "status.admission.podSetAssignments[0].resourceUsage[cpu]"),
          new Case(
              "every pod has the same part of the memory",
              PENDING,
              RESERVED + ", " + admission("{name: a, count: 4, resourceUsage: {memory: 8}}"),
              RESERVED + ", " + admission("{name: a, count: 4, resourceUsage: {memory: 1}}"),
              "status.admission.podSetAssignments[0].resourceUsage[memory]"),
          new Case(
              "usage is a quantity",
              PENDING,
              RESERVED + ", " + admission("{name: a, count: 0, resourceUsage: {cpu: 1}}"),
              RESERVED + ", " + admission("{name: a, count: 0, resourceUsage: {cpu: x}}"),
              "status.admission.podSetAssignments[0].resourceUsage[cpu]"),
          new Case(
              "what was given is not exchanged, but taken back",
              ADMITTED,
              PENDING,
              RESERVED + ", " + admission("{name: a, count: 3}"),
              "status.admission"),
          new Case(
              "only the place in a topology may change",
              ADMITTED,
              RESERVED
                  + ", "
                  + admission(
                      "{name: a, count: 4, topologyAssignment: {levels: [x]},"
                          + " delayedTopologyRequest: Pending}"),
              RESERVED + ", " + admission("{name: a, count: 4, flavors: {cpu: x}}"),
              "status.admission"),
          new Case(
              "a typed client omits what is empty and writes quantities in canonical form",
              RESERVED
                  + ", "
                  + admission(
                      "{name: a, count: 4, flavors: {}, resourceUsage: {}},"
                          + " {name: b, count: 2, resourceUsage: {cpu: 2000m}}"),
              RESERVED
                  + ", "
                  + admission("{name: a, count: 4}, {name: b, count: 2, resourceUsage: {cpu: 2}}"),
              RESERVED
                  + ", "
                  + admission("{name: a, count: 4}, {name: b, count: 2, resourceUsage: {cpu: 4}}"),
              "status.admission"),
          new Case(
              "reclaimable pods are pods of the workload",
              PENDING,
              reclaimable("{name: b, count: 2}"),
              reclaimable("{name: c, count: 2}"),
              "status.reclaimablePods[c].name"),
          new Case(
              "no more pods are reclaimable than there are",
              PENDING,
              reclaimable("{name: b, count: 2}"),
              reclaimable("{name: b, count: 3}"),
              "status.reclaimablePods[b].count"),
          new Case(
              "what was reclaimable stays so",
              ADMITTED + ", " + reclaimable("{name: b, count: 1}"),
              ADMITTED + ", " + reclaimable("{name: a, count: 1}, {name: b, count: 2}"),
              ADMITTED + ", " + reclaimable("{name: b, count: 0}"),
              "status.reclaimablePods[b].count"),
          new Case(
              "what was reclaimable does not vanish",
              ADMITTED + ", " + reclaimable("{name: b, count: 1}"),
              PENDING,
              ADMITTED,
              "status.reclaimablePods[b]"),
          new Case(
              "more than there are may shrink to what there is",
              ADMITTED + ", " + reclaimable("{name: b, count: 5}"),
              ADMITTED + ", " + reclaimable("{name: b, count: 2}"),
              ADMITTED + ", " + reclaimable("{name: b, count: 1}"),
              "status.reclaimablePods[b].count"),
          new Case(
              "a check adds to pod sets there are",
              PENDING,
              check("Ready", "{name: a}"),
              check("Ready", "{name: x}"),
              "status.admissionChecks[0].podSetUpdates[0].name"),
          new Case(
              "a check adds labels",
              PENDING,
              check("Ready", "{name: a, labels: {x: y}}"),
              check("Ready", "{name: a, labels: {x: '-'}}"),
              "status.admissionChecks[0].podSetUpdates[0].labels"),
          new Case(
              "a check adds annotations",
              PENDING,
              check("Ready", "{name: a, annotations: {x: '-'}}"),
              check("Ready", "{name: a, annotations: {'-': y}}"),
              "status.admissionChecks[0].podSetUpdates[0].annotations"),
          new Case(
              "a check selects nodes",
              PENDING,
              check("Ready", "{name: a, nodeSelector: {x: y}}"),
              check("Ready", "{name: a, nodeSelector: {'': y}}"),
              "status.admissionChecks[0].podSetUpdates[0].nodeSelector"),
          new Case(
              "a check adds tolerations",
              PENDING,
              check("Ready", "{name: a, tolerations: [{key: x}]}"),
              check("Ready", "{name: a, tolerations: [{key: '-'}]}"),
              "status.admissionChecks[0].podSetUpdates[0].tolerations[0].key"),
          new Case(
              "a ready check adds nothing more, unless it takes its word back",
              check("Ready", "{name: a}"),
              check("Retry", "{name: a, labels: {x: y}}"),
              check("Ready", "{name: a, labels: {x: y}}"),
              "status.admissionChecks[0].podSetUpdates"),
          new Case(
              "a cluster was nominated before",
              "nominatedClusterNames: [east, west]",
              "clusterName: west",
              "clusterName: north",
              "status.clusterName"),
          new Case(
              "a cluster is left, not changed",
              "clusterName: east",
              "nominatedClusterNames: [west]",
              "clusterName: west",
              "status.clusterName"));

  @ParameterizedTest
  @FieldSource("CASES")
  void changeIsValidated(Case c) {
    ApiObject before = workload(c.before());

    assertThat(RuleFixtures.fields(() -> RULES.checkStatus(before, workload(c.accepted()))))
        .isEmpty();
    assertThat(RuleFixtures.fields(() -> RULES.checkStatus(before, workload(c.refused()))))
        .containsExactly(c.field());
  }

  @Test
  void replacementKeepsTheCluster() {
    ApiObject before =
        workload(PENDING).withAnnotation(KueueNames.SLICE_REPLACEMENT_FOR, "default/w");
    ApiObject after = before.withStatus(workload("clusterName: east").status());

    assertThat(RuleFixtures.fields(() -> RULES.checkStatus(before, after))).isEmpty();
  }

  @Test
  void assignmentOfASinglePodSetNeedsNoName() {
    ApiObject before =
        workload(PENDING).withSpec(RuleFixtures.tree("{podSets: [{name: main, count: 1}]}"));
    ApiObject after =
        before.withStatus(workload(RESERVED + ", " + admission("{count: 1}")).status());

    assertThat(RuleFixtures.fields(() -> RULES.checkStatus(before, after))).isEmpty();
  }

  /** An elastic job scales down reclaimable pods first. */
  @Test
  void elasticJobMayHaveFewerReclaimablePods() {
    ApiObject before = workload(ADMITTED + ", " + reclaimable("{name: b, count: 2}"));
    ApiObject after = workload(ADMITTED + ", " + reclaimable("{name: b, count: 1}"));

    assertThat(RuleFixtures.fields(() -> RULES.checkStatus(before, after))).isNotEmpty();
    assertThat(RuleFixtures.fields(() -> RULES.checkStatus(elastic(before), elastic(after))))
        .isEmpty();
  }

  private static ApiObject elastic(ApiObject workload) {
    return workload.withAnnotation(KueueNames.ELASTIC_JOB, "true");
  }

  @Test
  void existingProblemIsNoReasonToRefuse() {
    ApiObject before = workload(PENDING + ", " + reclaimable("{name: c, count: 2}"));
    ApiObject after = workload(ADMITTED + ", " + reclaimable("{name: c, count: 2}"));

    assertThat(RuleFixtures.fields(() -> RULES.checkStatus(before, after))).isEmpty();
  }

  private static ApiObject workload(String status) {
    return RuleFixtures.object(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: w, namespace: default}
        spec: {podSets: [{name: a, count: 4}, {name: b, count: 2}]}
        status: {%s}
        """
            .formatted(status));
  }

  private static String admission(String assignment) {
    return "admission: {clusterQueue: q, podSetAssignments: [" + assignment + "]}";
  }

  private static String reclaimable(String entries) {
    return "reclaimablePods: [" + entries + "]";
  }

  private static String check(String state, String update) {
    return "admissionChecks: [{name: c, state: %s, podSetUpdates: [%s]}]".formatted(state, update);
  }
}
