package dev.sluice.conformance.kueue;

import static dev.sluice.conformance.kueue.KueueLimitsIT.object;
import static dev.sluice.conformance.kueue.KueueWorkloadRulesIT.condition;

import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.model.ApiObject;
import java.util.List;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Which changes API servers, a real one and ours, allow and refuse by our definitions. */
@RequiresKubernetes
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KueueChangesIT extends KueueRules {

  /** A change; no complaint means that it is allowed. */
  record Change(String name, String kind, String before, String after, String complaint) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final String FIXED_FLAVOR = "spec: {nodeLabels: {a: b}, topologyName: t}";

  static final List<Change> CHANGES =
      List.of(
          change(
              "a flavor gets a topology",
              "ResourceFlavor",
              "spec: {nodeLabels: {a: b}}",
              FIXED_FLAVOR),
          change(
              "taints of a flavor with a topology",
              "ResourceFlavor",
              FIXED_FLAVOR,
              "spec: {nodeLabels: {a: b}, topologyName: t, nodeTaints: [{key: a, effect:"
                  + " NoExecute}]}"),
          new Change(
              "another topology",
              "ResourceFlavor",
              FIXED_FLAVOR,
              "spec: {nodeLabels: {a: b}, topologyName: u}",
              "topologyName cannot be changed once it is set"),
          new Change(
              "no topology any more",
              "ResourceFlavor",
              FIXED_FLAVOR,
              "spec: {nodeLabels: {a: b}}",
              "topologyName cannot be changed once it is set"),
          new Change(
              "no spec any more", "ResourceFlavor", FIXED_FLAVOR, "{}", "spec cannot be removed"),
          new Change(
              "labels of a flavor with a topology",
              "ResourceFlavor",
              FIXED_FLAVOR,
              "spec: {nodeLabels: {a: c}, topologyName: t}",
              "nodeLabels cannot be changed"),
          new Change(
              "tolerations of a flavor with a topology",
              "ResourceFlavor",
              FIXED_FLAVOR,
              "spec: {nodeLabels: {a: b}, topologyName: t, tolerations: [{key: a}]}",
              "tolerations cannot be changed"),
          change(
              "a LocalQueue is held",
              "LocalQueue",
              "spec: {clusterQueue: a}",
              "spec: {clusterQueue: a, stopPolicy: Hold}"),
          new Change(
              "another ClusterQueue",
              "LocalQueue",
              "spec: {clusterQueue: a}",
              "spec: {clusterQueue: b}",
              "clusterQueue cannot be changed"),
          new Change(
              "no ClusterQueue",
              "LocalQueue",
              "spec: {clusterQueue: a}",
              "spec: {}",
              "clusterQueue cannot be changed"),
          new Change(
              "a LocalQueue without a spec",
              "LocalQueue",
              "spec: {clusterQueue: a}",
              "{}",
              "spec cannot be removed"),
          new Change(
              "another controller",
              "AdmissionCheck",
              "spec: {controllerName: a}",
              "spec: {controllerName: b}",
              "controllerName cannot be changed"),
          new Change(
              "a check without a spec",
              "AdmissionCheck",
              "spec: {controllerName: a}",
              "{}",
              "spec cannot be removed"),
          new Change(
              "another level",
              "Topology",
              "spec: {levels: [{nodeLabel: a}]}",
              "spec: {levels: [{nodeLabel: a}, {nodeLabel: b}]}",
              "levels cannot be changed"),
          new Change(
              "a topology without a spec",
              "Topology",
              "spec: {levels: [{nodeLabel: a}]}",
              "{}",
              "spec cannot be removed"));

  private static final String RESERVED =
      condition("QuotaReserved") + ", admission: {clusterQueue: a, podSetAssignments: [{}]}";
  private static final String OWN =
      "priority: 1, priorityClassRef: {group: kueue.x-k8s.io, kind: WorkloadPriorityClass, name:"
          + " %s}";
  private static final String OF_PODS =
      "priority: 1, priorityClassRef: {group: scheduling.k8s.io, kind: PriorityClass, name: %s}";
  private static final String CHECK =
      "admissionChecks: [{name: c, state: %s, message: '', lastTransitionTime:"
          + " '2026-01-02T03:04:05Z', podSetUpdates: [{name: main, labels: {a: %s}}]}]";

  static final List<Change> WORKLOADS =
      List.of(
          change(
              "another queue while it waits",
              "Workload",
              spec("queueName: a"),
              spec("queueName: b")),
          new Change(
              "another queue while quota is reserved",
              "Workload",
              both("queueName: a", RESERVED),
              spec("queueName: b"),
              "queueName cannot be changed"),
          new Change(
              "no queue while quota is reserved",
              "Workload",
              both("queueName: a", RESERVED),
              spec("active: true"),
              "queueName cannot be changed"),
          change(
              "another time while quota is only reserved",
              "Workload",
              both("maximumExecutionTimeSeconds: 1", RESERVED),
              spec("maximumExecutionTimeSeconds: 2")),
          new Change(
              "another time while it is admitted",
              "Workload",
              both("maximumExecutionTimeSeconds: 1", condition("Admitted")),
              spec("maximumExecutionTimeSeconds: 2"),
              "maximumExecutionTimeSeconds cannot be changed"),
          change(
              "another WorkloadPriorityClass",
              "Workload",
              both(OWN.formatted("a"), RESERVED),
              spec(OWN.formatted("b"))),
          new Change(
              "another PriorityClass",
              "Workload",
              both(OF_PODS.formatted("a"), RESERVED),
              spec(OF_PODS.formatted("b")),
              "the name of a PriorityClass cannot be changed"),
          new Change(
              "a class of another kind",
              "Workload",
              both(OWN.formatted("a"), RESERVED),
              spec(OF_PODS.formatted("a")),
              "priorityClassRef can be neither set"),
          new Change(
              "a class where there was none",
              "Workload",
              both("active: true", RESERVED),
              spec(OWN.formatted("a")),
              "priorityClassRef can be neither set"),
          new Change(
              "no class any more",
              "Workload",
              both(OWN.formatted("a"), RESERVED),
              spec("active: true"),
              "priorityClassRef can be neither set"),
          change(
              "another class while it waits",
              "Workload",
              spec(OWN.formatted("a")),
              spec(OF_PODS.formatted("a"))),
          new Change(
              "another cluster",
              "Workload",
              both("active: true", "clusterName: a"),
              both("active: true", "clusterName: b"),
              "clusterName cannot be changed"),
          change(
              "a cluster is given up",
              "Workload",
              both("active: true", "clusterName: a"),
              both("active: true", "requeueState: {count: 1}")),
          new Change(
              "updates of a check that stays ready",
              "Workload",
              both("active: true", CHECK.formatted("Ready", "b")),
              both("active: true", CHECK.formatted("Ready", "c")),
              "podSetUpdates cannot be changed"),
          change(
              "updates of a check that becomes ready",
              "Workload",
              both("active: true", CHECK.formatted("Pending", "b")),
              both("active: true", CHECK.formatted("Ready", "c"))),
          new Change(
              "another queue in v1beta1",
              "v1beta1/Workload",
              both("queueName: a", RESERVED),
              spec("queueName: b"),
              "queueName cannot be changed"),
          new Change(
              "a class of another kind in v1beta1",
              "v1beta1/Workload",
              both("active: true", RESERVED),
              spec(
                  "priority: 1, priorityClassName: a, priorityClassSource:"
                      + " kueue.x-k8s.io/workloadpriorityclass"),
              "priorityClassSource cannot be changed"),
          new Change(
              "another PriorityClass in v1beta1",
              "v1beta1/Workload",
              both(
                  "priority: 1, priorityClassName: a, priorityClassSource:"
                      + " scheduling.k8s.io/priorityclass",
                  RESERVED),
              spec(
                  "priority: 1, priorityClassName: b, priorityClassSource:"
                      + " scheduling.k8s.io/priorityclass"),
              "the name of a PriorityClass cannot be changed"));

  KueueChangesIT(RealKubernetes kubernetes) {
    super(kubernetes);
  }

  @ParameterizedTest
  @FieldSource({"CHANGES", "WORKLOADS"})
  void aChangeIsAllowedOrNot(Change change) {
    String name = newName();
    servers.forEach(server -> server.write(object(change.kind(), name, change.before())));
    ApiObject after = object(change.kind(), name, change.after());

    if (change.complaint().isEmpty()) {
      servers.forEach(server -> server.write(after));
    } else {
      KueueLimitsIT.assertRefused(servers, after, change.complaint());
    }
  }

  private static Change change(String name, String kind, String before, String after) {
    return new Change(name, kind, before, after, "");
  }

  private static String spec(String fields) {
    return "spec: {podSets: [{template: {}}], %s}".formatted(fields);
  }

  private static String both(String spec, String status) {
    return "{%s, status: {%s}}".formatted(spec(spec), status);
  }
}
