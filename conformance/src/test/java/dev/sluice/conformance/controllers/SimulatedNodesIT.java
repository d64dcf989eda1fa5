package dev.sluice.conformance.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conformance.Eventually;
import dev.sluice.conformance.Kubectl;
import dev.sluice.conformance.RealCluster;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubectl;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.controllers.nodes.NodeLeases;
import dev.sluice.controllers.nodes.SimulatedNodes;
import dev.sluice.kubernetes.CrdInstaller;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.model.Kinds;
import dev.sluice.model.kwok.KwokDefinitions;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.LiveDriver;
import dev.sluice.runtime.RealTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** KWOK's nodes, pods and stages on a real API server, as kubectl's users see them. */
@RequiresKubernetes
@RequiresKubectl
@Timeout(120)
class SimulatedNodesIT {
  private static final String NODE =
      """
      apiVersion: v1
      kind: Node
      metadata:
        name: kwok-node-0
        annotations: {kwok.x-k8s.io/node: fake, node.alpha.kubernetes.io/ttl: "0"}
        labels: {type: kwok, kubernetes.io/hostname: kwok-node-0}
      spec:
        taints: [{key: kwok.x-k8s.io/node, value: fake, effect: NoSchedule}]
      status:
        allocatable: {cpu: 32, memory: 256Gi, pods: 110}
        capacity: {cpu: 32, memory: 256Gi, pods: 110}
      """;

  private static final String FAILING =
      """
      apiVersion: kwok.x-k8s.io/v1alpha1
      kind: Stage
      metadata: {name: pod-fails}
      spec:
        resourceRef: {apiGroup: v1, kind: Pod}
        selector:
          matchExpressions:
          - {key: '.metadata.deletionTimestamp', operator: DoesNotExist}
          - {key: '.status.phase', operator: In, values: [Pending]}
        delay: {durationMilliseconds: 100}
        next:
          event: {type: Warning, reason: Broken, message: it broke}
          statusTemplate: |
            phase: Failed
            message: {{ printf "%s on %s" .metadata.name .spec.nodeName | Quote }}
      """;

  private final RealTime time = new RealTime();
  private final KubernetesCluster cluster;
  private final Kubectl kubectl;
  private LiveDriver driver;

  SimulatedNodesIT(RealKubernetes kubernetes) {
    this.kubectl = Kubectl.with(kubernetes.kubeconfig());
    this.cluster = RealCluster.of(kubernetes.kubeconfig(), time);
  }

  @BeforeEach
  void start() {
    new CrdInstaller(cluster, Duration.ofSeconds(60)).install(KwokDefinitions.all());
    var controllers = new ArrayList<Controller>(SimulatedNodes.withPods(cluster, true));
    controllers.add(new NodeLeases(cluster));
    driver = new LiveDriver(cluster, controllers);
    driver.start();
  }

  @AfterEach
  void stop() {
    driver.close();
    kubectl.run("delete", "stages", "--all");
    kubectl.run("delete", "node", "kwok-node-0", "--ignore-not-found");
    cluster.close();
    time.close();
  }

  private String field(String object, String path) {
    return kubectl.run("get", object, "-o", "jsonpath={" + path + "}").output();
  }

  @Test
  void aNodeAPodAndAStageOfUsersGoThrough() {
    kubectl.apply("{apiVersion: v1, kind: Namespace, metadata: {name: kube-node-lease}}");
    kubectl.apply(NODE);
    Eventually.holds(
        "the node is ready",
        () ->
            field("node/kwok-node-0", ".status.conditions[?(@.type=='Ready')].status")
                .equals("True"));
    Eventually.holds(
        "only KWOK's taint is left",
        () -> field("node/kwok-node-0", ".spec.taints[*].key").equals("kwok.x-k8s.io/node"));
    Eventually.holds(
        "its lease is held",
        () ->
            !kubectl
                .run("get", "lease", "kwok-node-0", "-n", "kube-node-lease", "-o", "name")
                .output()
                .isEmpty());
    assertThat(field("node/kwok-node-0", ".status.allocatable.cpu")).isEqualTo("32");

    pod("by-ours");
    Eventually.holds(
        "the pod runs by our stages",
        () -> field("pod/by-ours", ".status.phase").equals("Running"));
    assertThat(field("pod/by-ours", ".status.containerStatuses[0].ready")).isEqualTo("true");

    kubectl.apply(FAILING);
    Eventually.holds("the stage is seen", () -> !cluster.list(Kinds.STAGE).isEmpty());
    pod("by-theirs");
    Eventually.holds(
        "the pod fails by their stage",
        () -> field("pod/by-theirs", ".status.phase").equals("Failed"));
    assertThat(field("pod/by-theirs", ".status.message")).isEqualTo("by-theirs on kwok-node-0");
    kubectl.run("delete", "stage", "pod-fails").orFail();
    kubectl.run("delete", "pod", "by-ours", "by-theirs", "--timeout=60s").orFail();
  }

  @Test
  void stagesLeadClaimsToVolumesThatTheyApply() {
    String stages =
        """
        apiVersion: kwok.x-k8s.io/v1alpha1
        kind: Stage
        metadata: {name: pvc-provision}
        spec:
          resourceRef: {apiGroup: v1, kind: PersistentVolumeClaim}
          selector: {matchExpressions: [{key: .spec.volumeName, operator: DoesNotExist}]}
          steps:
          - apply:
              template: |
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: pv-{{ .metadata.name }}}
                spec:
                  accessModes: {{ .spec.accessModes | toJson }}
                  capacity: {storage: {{ .spec.resources.requests.storage }}}
                  storageClassName: kwok-volume
                  hostPath: {path: /nowhere}
                  claimRef: {namespace: {{ .metadata.namespace }}, name: {{ .metadata.name }}, uid: {{ .metadata.uid }}}
          - patch: {root: spec, template: 'volumeName: pv-{{ .metadata.name }}'}
          - patch: {subresource: status, root: status, template: 'phase: Bound'}
        ---
        apiVersion: kwok.x-k8s.io/v1alpha1
        kind: Stage
        metadata: {name: nobody}
        spec:
          resourceRef: {apiGroup: zoo.example/v1, kind: Rabbit}
          selector: {}
          next: {delete: true}
        """;
    kubectl.apply(stages);
    kubectl.apply(
        """
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: {name: data}
        spec:
          storageClassName: kwok-volume
          accessModes: [ReadWriteOnce]
          resources: {requests: {storage: 1Gi}}
        """);

    Eventually.holds(
        "the claim is bound", () -> field("pvc/data", ".status.phase").equals("Bound"));
    assertThat(field("pv/pv-data", ".spec.claimRef.name")).isEqualTo("data");
    assertThat(field("pv/pv-data", ".spec.capacity.storage")).isEqualTo("1Gi");
    Eventually.holds(
        "the stage for an unknown kind says so",
        () ->
            kubectl
                .run("get", "events", "-o", "jsonpath={.items[*].message}")
                .output()
                .contains("nothing here serves zoo.example/v1/Rabbit"));
    kubectl.run("delete", "pvc", "data", "--wait=false").orFail();
    kubectl.run("delete", "pv", "pv-data", "--wait=false").orFail();
  }

  @Test
  void aStageWritesInTheNameOfAnotherWhoMustHaveTheRightTo() {
    kubectl.apply(
        """
        apiVersion: kwok.x-k8s.io/v1alpha1
        kind: Stage
        metadata: {name: by-alice}
        spec:
          resourceRef: {apiGroup: v1, kind: ConfigMap}
          selector: {matchLabels: {written-by: alice}}
          steps:
          - patch:
              impersonation: {username: alice}
              root: data
              template: 'written: "yes"'
        """);
    kubectl.apply(
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: page, labels: {written-by: alice}}}");
    Eventually.holds(
        "alice may not write",
        () ->
            kubectl
                .run("get", "events", "-o", "jsonpath={.items[*].message}")
                .output()
                .contains(
                    "stage by-alice: configmaps \"page\" is forbidden: User \"alice\" cannot"));
    assertThat(field("configmap/page", ".data")).isEmpty();

    kubectl
        .run("create", "rolebinding", "alice", "--clusterrole=cluster-admin", "--user=alice")
        .orFail();

    var tries = new AtomicInteger();
    Eventually.holds(
        "alice has written",
        () -> {
          // What was refused is tried again when the object changes.
          kubectl.run("annotate", "configmap", "page", "--overwrite", "try=" + tries.addAndGet(1));
          return field("configmap/page", ".data.written").equals("yes");
        });
    kubectl.run("delete", "rolebinding", "alice").orFail();
    kubectl.run("delete", "configmap", "page").orFail();
  }

  private void pod(String name) {
    kubectl.apply(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, namespace: default}
        spec:
          nodeName: kwok-node-0
          automountServiceAccountToken: false
          tolerations: [{key: kwok.x-k8s.io/node, operator: Exists}]
          containers: [{name: main, image: busybox}]
        """
            .formatted(name));
  }
}
