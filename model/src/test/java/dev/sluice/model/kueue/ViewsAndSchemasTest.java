package dev.sluice.model.kueue;

import static dev.sluice.model.kueue.Schemas.unknownFields;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.Amounts;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.Quantity;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.core.pod.PodTemplate;
import dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy;
import dev.sluice.model.kueue.Workload.PriorityClassRef;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the views read and write is what the schemas know. An object that is written out below has
 * every field that its view reads, each with a value that no view gives for a missing one.
 */
class ViewsAndSchemasTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  @Test
  void aWorkload() {
    var podSet =
        PodSet.of("main", 3, new PodTemplate(Tree.of("spec", Tree.of("containers", List.of()))))
            .withMinCount(2);
    ApiObject object =
        Workload.of("team", "w", "lq", List.of(podSet))
            .withPriority(PriorityClassRef.workloadPriorityClass("high"), 7)
            .withActive(false)
            .withMaximumExecutionTime(Duration.ofMinutes(1))
            .object();

    assertKnown(Kinds.WORKLOAD, object);
    var workload = new Workload(object);
    assertThat(workload.podSets()).containsExactly(podSet);
    assertThat(workload.priority()).isEqualTo(7);
    assertThat(workload.priorityClass()).contains(PriorityClassRef.workloadPriorityClass("high"));
    assertThat(workload.active()).isFalse();
    assertThat(workload.maximumExecutionTime()).contains(Duration.ofMinutes(1));
    assertThat(workload.queueName()).isEqualTo("lq");
  }

  @Test
  void aPodSetOfAGroup() {
    ApiObject object =
        yaml(Kinds.WORKLOAD, "spec: {podSets: [{topologyRequest: {podSetGroupName: g}}]}");

    assertKnown(Kinds.WORKLOAD, object);
    assertThat(new Workload(object).podSets().getFirst().group()).isEqualTo("g");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {topologyRequest: {required: rack}}                                                    | true
          {topologyRequest: {podSetSliceRequiredTopology: rack, podSetSliceSize: 2}}             | true
          {topologyRequest: {podsetSliceRequiredTopologyConstraints: [{topology: a, size: 1}]}}  | true
          {topologyRequest: {preferred: rack}}                                                   | false
          {topologyRequest: {unconstrained: true}}                                               | false
          {template: {metadata: {annotations: {kueue.x-k8s.io/podset-required-topology: rack}}}} | true
          {template: {metadata: {annotations: {kueue.x-k8s.io/podset-preferred-topology: rack}}}}| false
          """)
  void aPodSetThatMustStayTogether(String podSet, boolean must) {
    ApiObject object = yaml(Kinds.WORKLOAD, "spec: {podSets: [" + podSet + "]}");

    assertKnown(Kinds.WORKLOAD, object);
    assertThat(new Workload(object).podSets().getFirst().requiresTopology()).isEqualTo(must);
  }

  @Test
  void theStatusOfAWorkload() {
    var assignment =
        new Admission.Assignment(
            "main", 3, new TreeMap<>(Map.of("cpu", "f")), Amounts.of("cpu", 3000));
    var admission = new Admission("cq", List.of(assignment));
    WorkloadStatus status =
        new WorkloadStatus(Tree.EMPTY)
            .with(new Condition(WorkloadStatus.QUOTA_RESERVED, true, "QuotaReserved", ""), NOW)
            .with(new Condition(WorkloadStatus.ADMITTED, true, "Admitted", ""), NOW)
            .withAdmission(admission)
            .withRequeue(2, NOW)
            .withReclaimablePods(new TreeMap<>(Map.of("main", 1)))
            .withResourceRequests(new TreeMap<>(Map.of("main", Amounts.of("cpu", 1))))
            .withAccumulatedExecutionTime(Duration.ofSeconds(5))
            .withEviction("Preempted", "Why");
    ApiObject object = ApiObject.of(Kinds.WORKLOAD, "team", "w").withStatus(status.tree());

    assertKnown(Kinds.WORKLOAD, object);
    assertThat(status.admission()).contains(admission);
    assertThat(status.requeues()).isEqualTo(2);
    assertThat(status.requeueAt()).contains(NOW);
    assertThat(status.reclaimablePods()).containsEntry("main", 1);
    assertThat(status.accumulatedExecutionTime()).isEqualTo(Duration.ofSeconds(5));
    assertThat(status.evictions("Preempted", "Why")).isOne();
  }

  @Test
  void theStateOfACheck() {
    ApiObject object =
        yaml(
            Kinds.WORKLOAD,
            """
            status:
              admissionChecks:
              - name: c
                state: Ready
                message: well
                lastTransitionTime: "2026-01-02T03:04:05Z"
                requeueAfterSeconds: 4
                retryCount: 2
                podSetUpdates: [{name: main, labels: {a: b}, annotations: {a: b}, nodeSelector: {a: b}, tolerations: [{key: a}]}]
            """);

    assertKnown(Kinds.WORKLOAD, object);
    CheckState check = new Workload(object).status().admissionChecks().getFirst();
    assertThat(check.name()).isEqualTo("c");
    assertThat(check.ready()).isTrue();
    assertThat(check.message()).isEqualTo("well");
    assertThat(check.since()).contains(NOW);
    assertThat(check.requeueAfter()).contains(Duration.ofSeconds(4));
    assertThat(check.retryCount()).isEqualTo(2);
    assertThat(check.podSetUpdates()).hasSize(1);
  }

  @Test
  void aClusterQueue() {
    ApiObject object =
        yaml(
            Kinds.CLUSTER_QUEUE,
            """
            spec:
              cohortName: all
              queueingStrategy: StrictFIFO
              stopPolicy: HoldAndDrain
              namespaceSelector: {matchLabels: {team: a}, matchExpressions: [{key: a, operator: In, values: [b]}]}
              flavorFungibility: {whenCanBorrow: TryNextFlavor, whenCanPreempt: MayStopSearch, preference: PreemptionOverBorrowing}
              preemption:
                withinClusterQueue: LowerOrNewerEqualPriority
                reclaimWithinCohort: Any
                borrowWithinCohort: {policy: LowerPriority, maxPriorityThreshold: 9}
              fairSharing: {weight: 3}
              admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}
              admissionChecksStrategy: {admissionChecks: [{name: c, onFlavors: [f]}]}
            """);

    assertKnown(Kinds.CLUSTER_QUEUE, object);
    var queue = new ClusterQueue(object);
    assertThat(queue.cohort()).isEqualTo("all");
    assertThat(queue.strict()).isTrue();
    assertThat(queue.stopPolicy()).isEqualTo(StopPolicy.HOLD_AND_DRAIN);
    assertThat(queue.namespaceSelector()).isPresent();
    assertThat(queue.triesNextRatherThanBorrow()).isTrue();
    assertThat(queue.triesNextRatherThanPreempt()).isFalse();
    assertThat(queue.prefersPreemptionToBorrowing()).isTrue();
    assertThat(queue.withinClusterQueue())
        .isEqualTo(PreemptionPolicy.LOWER_OR_NEWER_EQUAL_PRIORITY);
    assertThat(queue.reclaimWithinCohort()).isEqualTo(PreemptionPolicy.ANY);
    assertThat(queue.preemptsWhileBorrowing()).isTrue();
    assertThat(queue.borrowingPriorityThreshold()).hasValue(9);
    assertThat(queue.fairWeight()).isEqualTo(Quantity.of(3));
    assertThat(queue.sharesByUsage()).isTrue();
    assertThat(queue.admissionChecks()).containsExactly(Map.entry("c", List.of("f")));
  }

  private static final String GROUPS =
      """
      spec:
        resourceGroups:
        - coveredResources: [cpu]
          flavors:
          - name: default
            resources: [{name: cpu, nominalQuota: 1500m, borrowingLimit: 2, lendingLimit: 1}]
      """;

  @Test
  void theQuotaOfAClusterQueue() {
    ApiObject object = yaml(Kinds.CLUSTER_QUEUE, GROUPS);

    assertKnown(Kinds.CLUSTER_QUEUE, object);
    assertQuota(new ClusterQueue(object).resourceGroups());
  }

  @Test
  void aCohort() {
    ApiObject object =
        yaml(Kinds.COHORT, GROUPS + "  parentName: root\n  fairSharing: {weight: 500m}\n");

    assertKnown(Kinds.COHORT, object);
    var cohort = new Cohort(object);
    assertThat(cohort.parent()).isEqualTo("root");
    assertThat(cohort.fairWeight()).isEqualByComparingTo(Quantity.parse("0.5").orElseThrow());
    assertQuota(cohort.resourceGroups());
  }

  private static void assertQuota(List<ResourceGroup> groups) {
    ResourceGroup group = groups.getFirst();
    assertThat(group.coveredResources()).containsExactly("cpu");
    assertThat(group.flavors().getFirst().name()).isEqualTo("default");
    assertThat(group.flavors().getFirst().quotas().get("cpu"))
        .isEqualTo(new ResourceGroup.Quota(1500, OptionalLong.of(2000), OptionalLong.of(1000)));
  }

  @Test
  void aLocalQueue() {
    ApiObject object =
        yaml(
            Kinds.LOCAL_QUEUE,
            "spec: {clusterQueue: cq, stopPolicy: Hold, fairSharing: {weight: 2}}");

    assertKnown(Kinds.LOCAL_QUEUE, object);
    var queue = new LocalQueue(object);
    assertThat(queue.clusterQueue()).isEqualTo("cq");
    assertThat(queue.stopPolicy()).isEqualTo(StopPolicy.HOLD);
    assertThat(queue.fairWeight()).isEqualTo(Quantity.of(2));
  }

  @Test
  void aResourceFlavor() {
    ApiObject object =
        yaml(
            Kinds.RESOURCE_FLAVOR,
            """
            spec:
              nodeLabels: {type: kwok}
              nodeTaints: [{key: a, value: b, effect: NoSchedule}]
              tolerations: [{key: a, operator: Exists, effect: NoSchedule}]
              topologyName: hall
            """);

    assertKnown(Kinds.RESOURCE_FLAVOR, object);
    var flavor = new ResourceFlavor(object);
    assertThat(flavor.nodeLabels()).containsEntry("type", "kwok");
    assertThat(flavor.nodeTaints()).hasSize(1);
    assertThat(flavor.tolerations()).hasSize(1);
    assertThat(flavor.topologyName()).isEqualTo("hall");
  }

  @Test
  void anAdmissionCheck() {
    Tree status = new Condition(ClusterQueue.ACTIVE, true, "Active", "").in(Tree.EMPTY, NOW);
    ApiObject object =
        yaml(Kinds.ADMISSION_CHECK, "spec: {controllerName: example.com/c}").withStatus(status);

    assertKnown(Kinds.ADMISSION_CHECK, object);
    assertThat(new AdmissionCheck(object).active()).isTrue();
  }

  @Test
  void aWorkloadPriorityClass() {
    ApiObject object = yaml(Kinds.WORKLOAD_PRIORITY_CLASS, "value: 7");

    assertKnown(Kinds.WORKLOAD_PRIORITY_CLASS, object);
    assertThat(new WorkloadPriorityClass(object).value()).isEqualTo(7);
  }

  @Test
  void theTestItselfNoticesAFieldThatNoSchemaKnows() {
    assertThat(unknownFields(yaml(Kinds.LOCAL_QUEUE, "spec: {clusterqueue: cq}")))
        .containsExactly("spec.clusterqueue");
  }

  private static ApiObject yaml(ResourceKind kind, String text) {
    return ApiObject.of(Yaml.parseAll(text).getFirst())
        .with(List.of("apiVersion"), kind.apiVersion())
        .with(List.of("kind"), kind.kind());
  }

  private static void assertKnown(ResourceKind kind, ApiObject object) {
    assertThat(unknownFields(object)).isEmpty();
    Tree definition = Schemas.definition(kind.kind());
    assertThat(definition.text("names", "plural")).isEqualTo(kind.plural());
    assertThat(definition.text("scope")).isEqualTo(kind.namespaced() ? "Namespaced" : "Cluster");
  }
}
