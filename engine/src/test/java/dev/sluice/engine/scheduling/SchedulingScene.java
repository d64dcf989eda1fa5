package dev.sluice.engine.scheduling;

import dev.sluice.engine.scheduling.cluster.ClusterState;
import dev.sluice.engine.scheduling.cluster.NodeState;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.framework.Placement;
import dev.sluice.engine.scheduling.framework.Profile;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.core.node.Node;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.storage.PersistentVolume;
import dev.sluice.model.core.storage.PersistentVolumeClaim;
import dev.sluice.model.core.storage.StorageClass;
import dev.sluice.model.tree.Yaml;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A cluster for tests, of nodes and pods in short YAML. */
public final class SchedulingScene {
  public final ClusterState state = new ClusterState();
  final DisruptionBudgets budgets = new DisruptionBudgets();
  final Scheduler scheduler;

  public SchedulingScene() {
    this(Profile.DEFAULT);
  }

  /** A cluster whose pods are scheduled by a profile. */
  SchedulingScene(Profile profile) {
    this.scheduler = new Scheduler(state, budgets, bound -> 0, profile);
  }

  /** A node with this allocatable, such as {@code cpu: 4, memory: 8Gi}; it takes 110 pods. */
  public SchedulingScene node(String name, String allocatable) {
    return node(name, allocatable, "", "");
  }

  /**
   * The same with labels such as {@code zone: a}, and a spec such as {@code unschedulable: true}.
   */
  public SchedulingScene node(String name, String allocatable, String labels, String spec) {
    return node(
        """
        apiVersion: v1
        kind: Node
        metadata: {name: %s, labels: {kubernetes.io/hostname: %s, %s}}
        spec: {%s}
        status: {allocatable: {pods: 110, %s}}
        """
            .formatted(name, name, labels, spec, allocatable));
  }

  public SchedulingScene node(String yaml) {
    state.putNode(state.read(new Node(yaml(yaml))));
    return this;
  }

  /** A pod with one container that requests this, such as {@code cpu: 1}. */
  public PodFacts pod(String name, String requests) {
    return pod(name, requests, "");
  }

  /** The same with more of its spec, such as {@code priority: 7}. */
  public PodFacts pod(String name, String requests, String spec) {
    return pod(name, "app: " + name.replaceAll("\\d", ""), requests, spec);
  }

  public PodFacts pod(String name, String labels, String requests, String spec) {
    return state.read(
        new Pod(
            yaml(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: default, uid: "%s", labels: {%s}}
                spec: {containers: [{name: c, resources: {requests: {%s}}}], %s}
                """
                    .formatted(name, name, labels, requests, spec))));
  }

  /** Puts a pod on a node, wherever it would rather be. */
  public SchedulingScene on(String node, PodFacts pod) {
    state.place(pod, node);
    return this;
  }

  /** Where a pod goes; it is put there. */
  public String place(PodFacts pod) {
    return switch (scheduler.place(pod)) {
      case Placement.OnNode(String node) -> {
        state.place(pod, node);
        yield node;
      }
      case Placement.Unschedulable nowhere -> nowhere.message();
      case Placement.AfterPreemption after ->
          "after "
              + after.victims().stream().map(one -> one.key().name()).toList()
              + " on "
              + after.node();
    };
  }

  /** A budget that lets so many of the pods with this label go. */
  void budget(String name, String app, int allowed) {
    budget(name, "matchLabels: {app: %s}".formatted(app), "disruptionsAllowed: " + allowed);
  }

  void budget(String name, String selector, String status) {
    budgets.put(
        Kinds.POD_DISRUPTION_BUDGET.key("default", name),
        yaml(
            """
            apiVersion: policy/v1
            kind: PodDisruptionBudget
            metadata: {name: %s, namespace: default}
            spec: {selector: {%s}}
            status: {%s}
            """
                .formatted(name, selector, status)));
  }

  /** What a driver of volumes says, as YAML. */
  public void driverSays(ResourceKind kind, String yaml) {
    ApiObject object = yaml(yaml);
    state.volumes().drivers().put(object.key(kind), object);
  }

  /** A Service, ReplicaSet or the like, as YAML. */
  public void spreads(ResourceKind kind, String yaml) {
    ApiObject object = yaml(yaml);
    state.spreadDefaults().put(object.key(kind), object);
  }

  /** A Service that selects the pods with these labels. */
  public void service(String name, String selector) {
    spreads(
        Kinds.SERVICE,
        "{apiVersion: v1, kind: Service, metadata: {name: %s, namespace: default},".formatted(name)
            + " spec: {selector: {%s}}}".formatted(selector));
  }

  public void namespace(String name, String label, String value) {
    var labels = new TreeMap<String, String>();
    labels.put(label, value);
    state.putNamespace(name, labels);
  }

  /** A class whose claims wait for a pod. */
  public void storageClass(String name, String provisioner, String more) {
    state
        .volumes()
        .putClass(
            new StorageClass(
                yaml(
                    """
                    apiVersion: storage.k8s.io/v1
                    kind: StorageClass
                    metadata: {name: %s}
                    provisioner: %s
                    volumeBindingMode: WaitForFirstConsumer
                    %s
                    """
                        .formatted(name, provisioner, more))));
  }

  /** A free volume of this class and size, on nodes whose label zone has a value, or anywhere. */
  void volume(String name, String storageClass, String size, String zone) {
    String affinity =
        "nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator:"
            + " In,"
            + " values: [%s]}]}]}},".formatted(zone);
    volume(
        name,
        "",
        "storageClassName: '%s', capacity: {storage: %s}, %s accessModes: [ReadWriteOnce]"
            .formatted(storageClass, size, zone.isEmpty() ? "" : affinity));
  }

  public void volume(String name, String labels, String spec) {
    state
        .volumes()
        .putVolume(
            new PersistentVolume(
                yaml(
                    """
                    apiVersion: v1
                    kind: PersistentVolume
                    metadata: {name: %s, labels: {%s}}
                    spec: {%s}
                    status: {phase: Available}
                    """
                        .formatted(name, labels, spec))));
  }

  /** A claim, bound if it says so in its annotations. */
  public void claim(String name, String annotations, String spec) {
    state
        .volumes()
        .putClaim(
            new PersistentVolumeClaim(
                yaml(
                    """
                    apiVersion: v1
                    kind: PersistentVolumeClaim
                    metadata: {name: %s, namespace: default, uid: "%s", annotations: {%s}}
                    spec: {%s}
                    """
                        .formatted(name, name, annotations, spec))));
  }

  /** A claim of the class {@code local} that waits for a pod. */
  void waitingClaim(String name, String size) {
    claim(
        name, "", "storageClassName: local, resources: {requests: {storage: %s}}".formatted(size));
  }

  public void boundClaim(String name, String volume, String more) {
    claim(
        name,
        "pv.kubernetes.io/bind-completed: 'yes'",
        "volumeName: %s, %s".formatted(volume, more));
  }

  /** A pod that needs these claims. */
  public PodFacts podWith(String name, String... claims) {
    String volumes =
        Stream.of(claims)
            .map(claim ->
                "{name: %s, persistentVolumeClaim: {claimName: %s}}".formatted(claim, claim))
            .collect(Collectors.joining(", "));
    return pod(name, "", "volumes: [%s]".formatted(volumes));
  }

  public NodeState state(String node) {
    return state.node(node).orElseThrow();
  }

  private static ApiObject yaml(String text) {
    return ApiObject.of(Yaml.parseAll(text).getFirst());
  }
}
