package dev.sluice.conformance.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.apiserver.cluster.EmbeddedCluster;
import dev.sluice.apiserver.registry.StoreRegistry;
import dev.sluice.conformance.Eventually;
import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.controllers.scheduling.PodScheduler;
import dev.sluice.kubernetes.Connection;
import dev.sluice.kubernetes.KubernetesCluster;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.node.Node;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodStatus;
import dev.sluice.model.core.storage.PersistentVolume;
import dev.sluice.model.core.storage.PersistentVolumeClaim;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.RealTime;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.runtime.VirtualTime;
import dev.sluice.store.Stores;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The same nodes and pods, one after the other, for kube-scheduler and for ours: every pod gets the
 * same node, or is told the same. The nodes differ so much that scores decide which one it is.
 */
@RequiresKubernetes(RealKubernetes.Part.SCHEDULER)
@Timeout(120)
class SchedulerDifferentialIT {
  private static final List<String> NODES =
      List.of(
          node("a", "cpu: 4, memory: 8Gi, pods: 3", "zone: east", ""),
          node("b", "cpu: 8, memory: 32Gi, pods: 20", "zone: west", ""),
          node(
              "c",
              "cpu: 16, memory: 24Gi, pods: 20, example.com/gpu: 2",
              "zone: east, disk: ssd, topology.kubernetes.io/zone: z1",
              ""),
          node(
              "d",
              "cpu: 32, memory: 64Gi, pods: 20",
              "zone: west, disk: hdd",
              "taints: [{key: team, value: x, effect: NoSchedule}]"),
          node("e", "cpu: 64, memory: 64Gi, pods: 20", "", "unschedulable: true"));

  private static final String PORT =
      "{name: i, image: none, restartPolicy: Always, ports: [{containerPort: 1, hostPort: 80}]}";

  private static final String NEAR_WEB =
      "{topologyKey: zone, labelSelector: {matchLabels: {app: web}}}";

  private static final List<String> PODS =
      List.of(
          pod("plain", "cpu: 1, memory: 1Gi", ""),
          pod("more-cpu", "cpu: 4, memory: 1Gi", ""),
          pod("more-memory", "cpu: 1, memory: 12Gi", ""),
          pod("best-effort", "", ""),
          pod("gpu", "cpu: 1, example.com/gpu: 2", ""),
          pod("no-gpu-left", "cpu: 1, example.com/gpu: 1", ""),
          pod("tolerant", "cpu: 2, memory: 2Gi", "tolerations: [{key: team, operator: Exists}]"),
          pod("too-big", "cpu: 100", ""),
          pod("too-big-for-most", "cpu: 20, memory: 100Mi", ""),
          pod("selective", "cpu: 1", "nodeSelector: {zone: west}"),
          pod("choosy", "cpu: 1", "nodeSelector: {zone: nowhere}"),
          pod(
              "wishful",
              "cpu: 1, memory: 1Gi",
              "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight:"
                  + " 50, preference: {matchExpressions: [{key: zone, operator: In, values:"
                  + " [west]}]}}]}}"),
          pod("web", "cpu: 100m", "nodeSelector: {zone: west}"),
          pod(
              "near",
              "cpu: 100m",
              "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: ["
                  + NEAR_WEB
                  + "]}}"),
          pod(
              "apart",
              "cpu: 3, memory: 3Gi",
              "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: ["
                  + NEAR_WEB
                  + "]}}"),
          pod(
              "nowhere-near",
              "cpu: 100m",
              "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                  + " [{topologyKey: zone, labelSelector: {matchLabels: {app: nobody}}}]}}"),
          pod(
              "uneven",
              "cpu: 100m",
              "topologySpreadConstraints: [{maxSkew: 1, topologyKey: rack, whenUnsatisfiable:"
                  + " DoNotSchedule, labelSelector: {matchLabels: {app: uneven}}}]"),
          pod("port", "cpu: 100m", "nodeSelector: {disk: ssd}, initContainers: [" + PORT + "]"),
          pod(
              "port-taken",
              "cpu: 100m",
              "nodeSelector: {disk: ssd}, initContainers: [" + PORT + "]"),
          withClaim("claim-missing"),
          withClaim("claim-unbound"),
          withClaim("claim-west"),
          withClaim("claim-nowhere"),
          withClaim("claim-z2"),
          withClaim("claim-without-volume"),
          withClaim("claim-lost"),
          withClaim("claim-too-large"),
          withClaim("claim-waits"),
          withClaim("claim-made-here"),
          withClaim("claim-for-one"),
          withClaim("other-user", "claim-for-one"),
          pod("never", "cpu: 14", "priorityClassName: patient"),
          pod("important", "cpu: 14, memory: 1Gi", "priorityClassName: important"));

  private static String node(String name, String allocatable, String labels, String spec) {
    return """
    apiVersion: v1
    kind: Node
    metadata: {name: %s, labels: {kubernetes.io/hostname: %s, %s}}
    spec: {%s}
    status: {allocatable: {%s}}
    """
        .formatted(name, name, labels, spec, allocatable);
  }

  private static String pod(String name, String requests, String more) {
    return """
    apiVersion: v1
    kind: Pod
    metadata: {name: %s, namespace: default, labels: {app: %s}}
    spec:
      {containers: [{name: main, image: none, resources: {requests: {%s}, limits: {%s}}}], %s}
    """
        .formatted(name, name, requests, requests, more);
  }

  private static String withClaim(String claim) {
    return withClaim(claim, claim);
  }

  private static String withClaim(String name, String claim) {
    return pod(
        name,
        "cpu: 100m",
        "volumes: [{name: data, persistentVolumeClaim: {claimName: %s}}]".formatted(claim));
  }

  private static String priorityClass(String name, int value, String policy) {
    return """
    apiVersion: scheduling.k8s.io/v1
    kind: PriorityClass
    metadata: {name: %s}
    value: %d
    preemptionPolicy: %s
    """
        .formatted(name, value, policy);
  }

  @Test
  void everyPodGetsTheSameAnswer(RealKubernetes kubernetes) {
    var ours = new StringBuilder();
    playOurs(answer -> ours.append(answer).append('\n'));
    var theirs = new StringBuilder();
    playTheirs(kubernetes, answer -> theirs.append(withoutSlip(answer)).append('\n'));

    assertThat(ours.toString()).isEqualTo(theirs.toString());
  }

  /** Where no node was asked, kube-scheduler ends with what its rule about devices misses. */
  private static String withoutSlip(String answer) {
    return answer.endsWith(". not found")
        ? answer.substring(0, answer.length() - " not found".length())
        : answer;
  }

  private static void playOurs(Consumer<String> answers) {
    var time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
    var random = new SplittableRandom(1);
    try (var store = Stores.inMemory();
        var registry = new StoreRegistry(store, time, random.split(), List.of())) {
      registry.bootstrap();
      var cluster = new EmbeddedCluster(registry, store, time, random.split());
      var scheduler = List.of(new PodScheduler(cluster));
      try (var driver = new VirtualDriver(cluster, time, random.split(), scheduler)) {
        driver.start();
        play(cluster, driver::settle, answers);
      }
    }
  }

  private static void playTheirs(RealKubernetes kubernetes, Consumer<String> answers) {
    try (var time = new RealTime();
        var cluster =
            new KubernetesCluster(
                Connection.kubeconfig(kubernetes.kubeconfig()), time, new SplittableRandom(1))) {
      play(
          cluster, () -> Eventually.holds("every pod is decided", () -> decided(cluster)), answers);
    }
  }

  private static boolean decided(Cluster cluster) {
    return cluster.list(Kinds.POD).stream()
        .map(Pod::new)
        .allMatch(pod ->
            pod.isBound()
                || !pod.status().nominatedNodeName().isEmpty()
                || !pod.status().message(PodStatus.POD_SCHEDULED).isEmpty());
  }

  private static void play(Cluster cluster, Runnable settle, Consumer<String> answers) {
    cluster.create(Kinds.PRIORITY_CLASS, yaml(priorityClass("patient", 10, "Never")));
    cluster.create(
        Kinds.PRIORITY_CLASS, yaml(priorityClass("important", 10, "PreemptLowerPriority")));
    NODES.forEach(node -> create(cluster, yaml(node)));
    StoredThings.create(cluster);
    for (String pod : PODS) {
      ApiObject created = cluster.create(Kinds.POD, yaml(pod));
      settle.run();
      Pod now = new Pod(cluster.get(created.key(Kinds.POD)).orElseThrow());
      String nominated = now.status().nominatedNodeName();
      answers.accept(
          "%s: %s%s"
              .formatted(
                  now.name(),
                  now.isBound() ? now.nodeName() : now.status().message(PodStatus.POD_SCHEDULED),
                  nominated.isEmpty() ? "" : " nominated " + nominated));
    }
    settle.run();
    PersistentVolume taken = volume(cluster, "local-c");
    answers.accept("local-c: " + (taken.isClaimed() ? taken.claimKey().name() : ""));
    var made = Kinds.PERSISTENT_VOLUME_CLAIM.key("default", "claim-made-here");
    answers.accept(
        "made at " + new PersistentVolumeClaim(cluster.get(made).orElseThrow()).selectedNode());
  }

  private static PersistentVolume volume(Cluster cluster, String name) {
    return new PersistentVolume(cluster.get(Kinds.PERSISTENT_VOLUME.key(name)).orElseThrow());
  }

  /** A new node is tainted until it is ready, which no kubelet would ever report here. */
  private static void create(Cluster cluster, ApiObject node) {
    Tree status = node.status();
    ApiObject created = cluster.create(Kinds.NODE, node);
    ApiObject bare =
        cluster.update(Kinds.NODE, new Node(created).withTaints(new Node(node).taints()).object());
    cluster.patchStatus(
        Kinds.NODE, bare, bare.status().with("allocatable", status.at("allocatable")));
  }

  private static ApiObject yaml(String text) {
    return ApiObject.of(Yaml.parseAll(text).getFirst());
  }
}
