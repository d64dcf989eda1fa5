package dev.sluice.conformance.scheduling;

import dev.sluice.conformance.Eventually;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.core.node.Node;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodStatus;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Yaml;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Deletion;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Where scenarios are played to one scheduler: nodes and pods that come and change, step by step,
 * and at the end what the scheduler made of them, in words in which its name does not occur.
 */
final class SchedulerStage {
  private static final String NAMESPACE = "default";
  private static final List<ResourceKind> PROPS =
      List.of(Kinds.POD, Kinds.NODE, Kinds.POD_DISRUPTION_BUDGET, Kinds.SERVICE, Kinds.CSI_NODE);

  private final Cluster cluster;
  private final String scheduler;
  private final List<String> pods = new ArrayList<>();
  private String lastNode = "";
  private boolean seen;

  /**
   * @param scheduler the one that all pods ask for
   */
  SchedulerStage(Cluster cluster, String scheduler) {
    this.cluster = cluster;
    this.scheduler = scheduler;
    PROPS.forEach(kind -> cluster.watch(kind, _ -> {}));
    cluster.watch(Kinds.EVENT, _ -> {});
  }

  static void priorities(Cluster cluster) {
    priority(cluster, "low", 1, "PreemptLowerPriority");
    priority(cluster, "middle", 5, "PreemptLowerPriority");
    priority(cluster, "high", 9, "PreemptLowerPriority");
    priority(cluster, "modest", 9, "Never");
  }

  private static void priority(Cluster cluster, String name, int value, String policy) {
    createOnce(
        cluster,
        Kinds.PRIORITY_CLASS,
        yaml(
            "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: %s}, value:"
                    .formatted(name)
                + " %d, preemptionPolicy: %s}".formatted(value, policy)));
  }

  /** Creates what another test may have left there. */
  static void createOnce(Cluster cluster, ResourceKind kind, ApiObject object) {
    try {
      cluster.create(kind, object);
    } catch (ApiException refused) {
      if (!refused.is(ApiFailure.Reason.ALREADY_EXISTS)) {
        throw refused;
      }
    }
  }

  private static ApiObject yaml(String text) {
    return ApiObject.of(Yaml.parseAll(text).getFirst());
  }

  /** A node with room such as {@code cpu: 4}; it is ready although no kubelet reports so. */
  void node(String name, String room, String labels, String spec) {
    node(name, room, labels, spec, "");
  }

  void node(String name, String room, String labels, String spec, String status) {
    ApiObject wanted =
        yaml(
            """
            apiVersion: v1
            kind: Node
            metadata: {name: %s, labels: {kubernetes.io/hostname: %s, %s}}
            spec: {%s}
            status: {allocatable: {memory: 64Gi, %s, %s}, %s}
            """
                .formatted(
                    name,
                    name,
                    labels,
                    spec,
                    room,
                    room.contains("pods") ? "" : "pods: 110",
                    status));
    ApiObject created = cluster.create(Kinds.NODE, wanted);
    ApiObject clean =
        cluster.update(
            Kinds.NODE, new Node(created).withTaints(new Node(wanted).taints()).object());
    cluster.patchStatus(Kinds.NODE, clean, wanted.status());
    lastNode = name;
    seen = false;
  }

  /** What else is there before the pods are, as YAML; {@code #} stands for the scheduler. */
  void given(ResourceKind kind, String yaml) {
    ApiObject wanted = yaml(yaml.replace("#", scheduler));
    ApiObject created = cluster.create(kind, wanted);
    if (!wanted.status().isEmpty()) {
      cluster.patchStatus(kind, created, wanted.status());
    }
  }

  /** A budget that lets so many of the pods with this label go. */
  void budget(String app, int allowed) {
    given(
        Kinds.POD_DISRUPTION_BUDGET,
        """
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata: {name: %s, namespace: default}
        spec: {minAvailable: 1, selector: {matchLabels: {app: %s}}}
        status:
          {observedGeneration: 1, disruptionsAllowed: %d, currentHealthy: 1, desiredHealthy: 1,
           expectedPods: 1}
        """
            .formatted(app, app, allowed));
  }

  /**
   * Creates a pod whose label app is its name without digits; waits until a scheduler decided about
   * it.
   */
  void pod(String name, String requests, String spec) {
    pod(name, "app: " + name.replaceAll("\\d", ""), requests, spec);
  }

  void pod(String name, String labels, String requests, String spec) {
    awaitNodes();
    create(name, labels, requests, spec);
    pods.add(name);
    Eventually.holds(name + " is decided", () -> isDecided(pod(name)));
  }

  private void create(String name, String labels, String requests, String spec) {
    cluster.create(
        Kinds.POD,
        yaml(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: default, labels: {%s}}
            spec:
              {schedulerName: %s, containers: [{name: main, image: none, resources:
               {requests: {%s}, limits: {%s}}}], %s}
            """
                .formatted(
                    name, labels, scheduler, requests, requests, spec.replace("#", scheduler))));
  }

  private Pod pod(String name) {
    return new Pod(cluster.get(Kinds.POD.key(NAMESPACE, name)).orElseThrow());
  }

  private static boolean isDecided(Pod pod) {
    return pod.isBound() || !pod.status().message(PodStatus.POD_SCHEDULED).isEmpty();
  }

  /** Events of nodes arrive in order: once a pod is on the last of them, all are known. */
  private void awaitNodes() {
    if (seen) {
      return;
    }
    create(
        "probe",
        "",
        "",
        "nodeSelector: {kubernetes.io/hostname: %s}, tolerations: [{operator: Exists}]"
            .formatted(lastNode));
    bound("probe");
    remove("probe");
    seen = true;
  }

  /** Waits until a pod has its node. */
  void bound(String pod) {
    Eventually.holds(pod + " is bound", () -> pod(pod).isBound());
  }

  /** Waits until a condition of a pending pod has these words. */
  void says(String pod, String words) {
    Eventually.holds(
        "%s is told: %s".formatted(pod, words),
        () -> pod(pod).status().message(PodStatus.POD_SCHEDULED).contains(words));
  }

  /** Waits until a pod is asked to leave for another. */
  void leaves(String pod) {
    Eventually.holds(pod + " leaves", () -> pod(pod).isDeleting());
  }

  /** Takes a pod away at once, as its node would in the end. */
  void remove(String pod) {
    cluster.delete(Kinds.POD, pod(pod).object(), Deletion.NOW);
    pods.remove(pod);
    Eventually.holds(pod + " is gone", () -> cluster.get(Kinds.POD.key(NAMESPACE, pod)).isEmpty());
  }

  /** Reports that a pod has ended. */
  void ended(String pod) {
    retried(() -> {
      ApiObject now = pod(pod).object();
      cluster.patchStatus(Kinds.POD, now, now.status().with("phase", "Succeeded"));
    });
  }

  /** Reports that a node took a pod over at this time. */
  void started(String pod, String at) {
    retried(() -> {
      ApiObject now = pod(pod).object();
      cluster.patchStatus(Kinds.POD, now, now.status().with("startTime", at));
    });
  }

  void ungate(String pod) {
    changePod(pod, now -> now.withSpec(now.spec().without("schedulingGates")));
  }

  void changePod(String pod, UnaryOperator<ApiObject> change) {
    retried(() -> cluster.update(Kinds.POD, change.apply(pod(pod).object())));
  }

  void change(String node, UnaryOperator<ApiObject> change) {
    retried(() ->
        cluster.update(Kinds.NODE, change.apply(cluster.get(Kinds.NODE.key(node)).orElseThrow())));
  }

  /** The scheduler may write the same object. */
  private static void retried(Runnable write) {
    Eventually.holds(
        "a write that nobody disturbs",
        () -> {
          try {
            write.run();
            return true;
          } catch (ApiException conflict) {
            return false;
          }
        });
  }

  /** The outcome of every pod, with its conditions and events. */
  List<String> story() {
    return new SchedulerStory(cluster, scheduler, pods).tell();
  }

  /** Takes everything away, so that the next scenario begins with nothing. */
  void clear() {
    for (ResourceKind kind : PROPS) {
      for (ApiObject object : cluster.list(kind)) {
        if (!object.name().equals("kubernetes")) {
          cluster.delete(kind, object, Deletion.NOW);
        }
      }
      Eventually.holds("nothing is left of " + kind, () -> isEmpty(kind));
    }
    pods.clear();
  }

  private boolean isEmpty(ResourceKind kind) {
    return cluster.list(kind).stream().allMatch(one -> one.name().equals("kubernetes"));
  }

  /** A node without its taints, for {@link #change}. */
  static ApiObject untainted(ApiObject node) {
    return node.without(List.of("spec", "taints"));
  }

  /** An object with one more label, for {@link #change} and {@link #changePod}. */
  static UnaryOperator<ApiObject> labelled(String key, String value) {
    return object -> object.withLabel(key, value);
  }

  /** A node that may not be used any more, for {@link #change}. */
  static ApiObject cordoned(ApiObject node) {
    return node.withSpec(node.spec().with("unschedulable", true));
  }

  /** A node that may be used again, for {@link #change}. */
  static ApiObject uncordoned(ApiObject node) {
    Tree spec = node.spec().without("unschedulable");
    return node.withSpec(spec);
  }
}
