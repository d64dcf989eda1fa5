package dev.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.scheduling.PodScheduler;
import dev.sluice.kubernetes.Connection;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.LiveDriver;
import dev.sluice.runtime.RealTime;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Small scenarios with one right answer each, played on one API server to kube-scheduler and then
 * to ours: every pod gets the same node or is told the same, the same pods leave for others, and
 * users see the same events.
 */
@RequiresKubernetes(RealKubernetes.Part.SCHEDULER)
@Timeout(180)
class SchedulerScenariosIT {
  private static final String OURS = "sluice";

  /** What happens, step by step. */
  private record Scenario(String name, Consumer<SchedulerStage> steps) {}

  private static final String SPREAD =
      "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: %s,"
          + " labelSelector: {matchLabels: {app: p}}%s}]";

  private static String affinity(String kind, String app, String key) {
    return "affinity: {%s: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: %s,"
            .formatted(kind, key)
        + " labelSelector: {matchLabels: {app: %s}}}]}}".formatted(app);
  }

  private static String nodeAffinity(String term) {
    return "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
        + " {nodeSelectorTerms: [{%s}]}}}".formatted(term);
  }

  private static final List<Scenario> NODES =
      List.of(
          new Scenario(
              "the node with the most room left",
              stage -> {
                stage.node("a", "cpu: 4", "", "");
                stage.node("b", "cpu: 16", "", "");
                stage.pod("p", "cpu: 1, memory: 1Gi", "");
                stage.pod("too-large", "cpu: 17, memory: 65Gi", "");
              }),
          new Scenario(
              "taints",
              stage -> {
                stage.node("a", "cpu: 32", "", "taints: [{key: k, value: v, effect: NoSchedule}]");
                stage.node("b", "cpu: 16", "", "taints: [{key: s, effect: PreferNoSchedule}]");
                stage.node("c", "cpu: 4", "", "");
                stage.pod("plain", "cpu: 1", "");
                stage.pod("large", "cpu: 8", "");
                stage.pod("tolerant", "cpu: 1", "tolerations: [{operator: Exists}]");
                stage.pod("refused", "cpu: 20", "tolerations: [{key: k, value: other}]");
              }),
          new Scenario(
              "affinity to nodes",
              stage -> {
                stage.node("a", "cpu: 32", "rank: '3'", "");
                stage.node("b", "cpu: 8", "rank: '7', disk: ssd", "");
                stage.node("c", "cpu: 4", "", "");
                stage.pod(
                    "above",
                    "cpu: 1",
                    nodeAffinity("matchExpressions: [{key: rank, operator: Gt, values: ['5']}]"));
                stage.pod(
                    "without",
                    "cpu: 1",
                    nodeAffinity("matchExpressions: [{key: rank, operator: DoesNotExist}]"));
                stage.pod(
                    "by-name",
                    "cpu: 1",
                    nodeAffinity("matchFields: [{key: metadata.name, operator: In, values: [c]}]"));
                stage.pod(
                    "by-name-too-large",
                    "cpu: 9",
                    nodeAffinity("matchFields: [{key: metadata.name, operator: In, values: [c]}]"));
                stage.pod("nowhere", "cpu: 1", "nodeSelector: {disk: hdd}");
              }),
          new Scenario(
              "cordoned, then not",
              stage -> {
                stage.node("a", "cpu: 8", "", "unschedulable: true");
                stage.pod("p", "cpu: 1", "");
                stage.change("a", SchedulerStage::uncordoned);
                stage.bound("p");
              }),
          new Scenario(
              "no more pods",
              stage -> {
                stage.node("a", "cpu: 8, pods: 1", "", "");
                stage.pod("first", "cpu: 1", "");
                stage.pod("second", "cpu: 8", "");
              }),
          new Scenario(
              "devices",
              stage -> {
                stage.node("a", "cpu: 32, example.com/gpu: 1", "", "");
                stage.node("b", "cpu: 8, example.com/gpu: 4", "", "");
                stage.pod("two", "cpu: 1, example.com/gpu: 2", "");
                stage.pod("four", "cpu: 1, example.com/gpu: 4", "");
                stage.pod("unknown", "cpu: 1, example.com/tpu: 1", "");
              }),
          new Scenario(
              "init containers, sidecars and overhead of a whole pod",
              stage -> {
                stage.node("a", "cpu: 5", "", "");
                stage.node("b", "cpu: 6", "", "");
                stage.pod(
                    "six",
                    "cpu: 1",
                    "initContainers: [{name: s, image: none, restartPolicy: Always, resources:"
                        + " {requests: {cpu: 2}}}, {name: i, image: none, resources: {requests:"
                        + " {cpu: 4}}}]");
                stage.pod("as-a-whole", "cpu: 1", "resources: {requests: {cpu: 6}}");
              }),
          new Scenario(
              "ports of the node",
              stage -> {
                String port =
                    "initContainers: [{name: i, image: none, restartPolicy: Always, ports:"
                        + " [{containerPort: 80, hostPort: 80}]}]";
                stage.node("a", "cpu: 8", "", "");
                stage.pod("first", "cpu: 1", port);
                stage.pod("second", "cpu: 1", port);
                stage.ended("first");
                stage.bound("second");
              }),
          new Scenario(
              "images that are there",
              stage -> {
                stage.node("a", "cpu: 8", "", "");
                stage.node(
                    "b", "cpu: 8", "", "", "images: [{names: ['model:1'], sizeBytes: 2000000000}]");
                stage.pod("p", "cpu: 1", "initContainers: [{name: i, image: 'model:1'}]");
              }));

  private static final List<Scenario> COMPANY =
      List.of(
          new Scenario(
              "evenly over zones",
              stage -> {
                stage.node("a", "cpu: 32", "zone: a", "");
                stage.node("b", "cpu: 8", "zone: b", "");
                stage.node("c", "cpu: 64", "", "");
                for (int i = 1; i <= 3; i++) {
                  stage.pod("p" + i, "cpu: 1", SPREAD.formatted("DoNotSchedule", ""));
                }
                stage.pod("p4", "cpu: 8", SPREAD.formatted("DoNotSchedule", ""));
                stage.pod("p5", "cpu: 1", SPREAD.formatted("DoNotSchedule", ", minDomains: 3"));
              }),
          new Scenario(
              "rather in other zones",
              stage -> {
                stage.node("a", "cpu: 32", "zone: a", "");
                stage.node("b", "cpu: 24", "zone: b", "");
                stage.pod("p1", "cpu: 1", SPREAD.formatted("ScheduleAnyway", ""));
                stage.pod("p2", "cpu: 1", SPREAD.formatted("ScheduleAnyway", ""));
              }),
          new Scenario(
              "pods of a service are spread by default",
              stage -> {
                stage.given(
                    Kinds.SERVICE,
                    "{apiVersion: v1, kind: Service, metadata: {name: s, namespace: default}, spec:"
                        + " {clusterIP: None, selector: {app: p}}}");
                stage.node("a", "cpu: 32", "topology.kubernetes.io/zone: a", "");
                stage.node("b", "cpu: 24", "topology.kubernetes.io/zone: b", "");
                stage.node("c", "cpu: 16", "", "");
                for (int i = 1; i <= 4; i++) {
                  stage.pod("p" + i, "cpu: 1", "");
                }
                stage.pod("other", "cpu: 1", "");
              }),
          new Scenario(
              "near and apart",
              stage -> {
                stage.node("a", "cpu: 32", "zone: a", "");
                stage.node("b", "cpu: 8", "zone: b", "");
                stage.pod("friend", "cpu: 1", "nodeSelector: {zone: b}");
                stage.pod("near", "cpu: 1", affinity("podAffinity", "friend", "zone"));
                stage.pod("apart", "cpu: 1", affinity("podAntiAffinity", "friend", "zone"));
                stage.pod("lonely", "cpu: 1", affinity("podAffinity", "nobody", "zone"));
                stage.pod("shy", "cpu: 1", affinity("podAntiAffinity", "shy", "zone"));
                stage.pod("shy2", "cpu: 1", affinity("podAntiAffinity", "shy", "zone"));
                stage.pod("shy3", "cpu: 1", "");
              }));

  private static final List<Scenario> IMPORTANCE =
      List.of(
          new Scenario(
              "the least important leaves, and then its place is taken",
              stage -> {
                stage.node("a", "cpu: 4", "", "");
                stage.pod("low", "cpu: 2", "priorityClassName: low");
                stage.pod("middle", "cpu: 2", "priorityClassName: middle");
                stage.pod("high", "cpu: 2", "priorityClassName: high");
              }),
          new Scenario(
              "its place is taken once it is gone",
              stage -> {
                stage.node("a", "cpu: 4", "", "");
                stage.pod("low", "cpu: 4", "priorityClassName: low");
                stage.pod("high", "cpu: 2", "priorityClassName: high");
                stage.leaves("low");
                stage.remove("low");
                stage.bound("high");
              }),
          new Scenario(
              "a budget decides on which node",
              stage -> {
                stage.budget("guarded", 0);
                stage.node("a", "cpu: 4", "zone: a", "");
                stage.node("b", "cpu: 4", "zone: b", "");
                stage.pod("guarded", "cpu: 4", "priorityClassName: low, nodeSelector: {zone: a}");
                stage.pod("free", "cpu: 4", "priorityClassName: middle, nodeSelector: {zone: b}");
                stage.pod("high", "cpu: 4", "priorityClassName: high");
              }),
          new Scenario(
              "who waits patiently, and who is no more important",
              stage -> {
                stage.node("a", "cpu: 4", "", "");
                stage.pod("middle", "cpu: 4", "priorityClassName: middle");
                stage.pod("patient", "cpu: 4", "priorityClassName: modest");
                stage.pod("equal", "cpu: 4", "priorityClassName: middle");
                stage.pod("too-large", "cpu: 5", "priorityClassName: high");
              }),
          new Scenario(
              "room that is freed in part",
              stage -> {
                stage.node("a", "cpu: 4", "", "");
                stage.pod("high", "cpu: 2", "priorityClassName: high");
                stage.pod("low", "cpu: 2", "priorityClassName: low");
                stage.pod("middle", "cpu: 4", "priorityClassName: middle");
                stage.remove("high");
                stage.leaves("low");
                stage.remove("low");
                stage.bound("middle");
              }),
          new Scenario(
              "gates",
              stage -> {
                stage.node("a", "cpu: 4", "", "");
                stage.pod("gated", "cpu: 1", "schedulingGates: [{name: g.io/g}]");
                stage.pod("late", "cpu: 1", "schedulingGates: [{name: g.io/g}]");
                stage.ungate("late");
                stage.bound("late");
              }),
          new Scenario(
              "what a node becomes, and what ends on it",
              stage -> {
                stage.node("a", "cpu: 4", "", "taints: [{key: k, effect: NoSchedule}]");
                stage.pod("p", "cpu: 4", "");
                stage.change("a", SchedulerStage::untainted);
                stage.bound("p");
                stage.pod("labelled", "cpu: 4", "nodeSelector: {disk: ssd}");
                stage.change("a", SchedulerStage.labelled("disk", "ssd"));
                stage.ended("p");
                stage.bound("labelled");
              }),
          new Scenario(
              "no more volumes",
              stage -> {
                stage.given(
                    Kinds.CSI_NODE,
                    "{apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: {name: a}, spec:"
                        + " {drivers: [{name: d.io, nodeID: a, allocatable: {count: 1}}]}}");
                for (String name : List.of("one", "two")) {
                  stage.given(
                      Kinds.PERSISTENT_VOLUME,
                      "{apiVersion: v1, kind: PersistentVolume, metadata: {name: %s-#}, spec:"
                              .formatted(name)
                          + " {capacity: {storage: 1Gi}, accessModes: [ReadWriteMany], csi:"
                          + " {driver:"
                          + " d.io, volumeHandle: %s}}}".formatted(name));
                  stage.given(
                      Kinds.PERSISTENT_VOLUME_CLAIM,
                      "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: %s-#,"
                              .formatted(name)
                          + " namespace: default, annotations: {pv.kubernetes.io/bind-completed:"
                          + " 'yes'}}, spec: {volumeName: %s-#, storageClassName: '', accessModes:"
                              .formatted(name)
                          + " [ReadWriteMany], resources: {requests: {storage: 1Gi}}}, status:"
                          + " {phase: Bound}}");
                }
                stage.node("a", "cpu: 4", "", "");
                stage.pod("one", "cpu: 1", volume("one-#"));
                stage.pod("two", "cpu: 1", volume("two-#"));
              }),
          new Scenario(
              "a binding that is refused",
              stage -> {
                stage.node("a", "cpu: 4", "", "");
                stage.pod("forbidden", "cpu: 1", "");
              }));

  private static String volume(String claim) {
    return "volumes: [{name: v, persistentVolumeClaim: {claimName: '%s'}}]".formatted(claim);
  }

  @Test
  void bothSchedulersTellTheSameStory(RealKubernetes kubernetes) {
    try (var time = new RealTime();
        var cluster =
            new KubernetesCluster(
                Connection.kubeconfig(kubernetes.kubeconfig()), time, new SplittableRandom(1))) {
      SchedulerStage.priorities(cluster);
      forbidSomeBindings(cluster);
      String theirs = play(cluster, "default-scheduler");
      try (var driver = new LiveDriver(cluster, List.of(new PodScheduler(cluster, OURS)))) {
        driver.start();
        String ours = play(cluster, OURS);

        assertThat(ours).isEqualTo(theirs);
      }
    }
  }

  /** Nobody may put a pod named {@code forbidden} on a node. */
  private static void forbidSomeBindings(Cluster cluster) {
    cluster.create(
        rule("ValidatingAdmissionPolicy", "validatingadmissionpolicies"),
        yaml(
            """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicy
            metadata: {name: bindings}
            spec:
              matchConstraints:
                resourceRules:
                - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods/binding]}
              validations: [{expression: "object.metadata.name != 'forbidden'", message: "not today"}]
            """));
    cluster.create(
        rule("ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings"),
        yaml(
            """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicyBinding
            metadata: {name: bindings}
            spec: {policyName: bindings, validationActions: [Deny]}
            """));
  }

  private static ResourceKind rule(String kind, String plural) {
    return new ResourceKind("admissionregistration.k8s.io", "v1", kind, plural, false);
  }

  private static ApiObject yaml(String text) {
    return ApiObject.of(Yaml.parseAll(text).getFirst());
  }

  private static String play(Cluster cluster, String scheduler) {
    var stories = new ArrayList<String>();
    var stage = new SchedulerStage(cluster, scheduler);
    stage.clear();
    for (List<Scenario> scenarios : List.of(NODES, COMPANY, IMPORTANCE)) {
      for (Scenario scenario : scenarios) {
        stories.add("# " + scenario.name());
        scenario.steps().accept(stage);
        stories.addAll(stage.story());
        stage.clear();
      }
    }
    return String.join("\n", stories);
  }
}
