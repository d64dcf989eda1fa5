package dev.sluice.engine.admission;

import dev.sluice.model.Amounts;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.PodSpec;
import dev.sluice.model.kueue.Admission;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.model.kueue.ResourceFlavor;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Builds snapshots for tests: everything is in namespace team, behind the local queue lq. */
final class Queues {
  private final SortedMap<String, ResourceFlavor> flavors = new TreeMap<>();
  private final SortedMap<String, ClusterQueue> clusterQueues = new TreeMap<>();
  private final SortedMap<String, String> namespaceLabels = new TreeMap<>();
  private final List<PendingWorkload> pending = new ArrayList<>();

  static ResourceFlavor flavor(String name) {
    return flavor(name, Tree.EMPTY);
  }

  static ResourceFlavor flavor(String name, Tree spec) {
    return new ResourceFlavor(ApiObject.of(Kinds.RESOURCE_FLAVOR, "", name).withSpec(spec));
  }

  static ClusterQueue clusterQueue(String name, String flavor, String resource, String quota) {
    return clusterQueue(name, List.of(flavor), resource, quota);
  }

  static ClusterQueue clusterQueue(
      String name, List<String> flavors, String resource, String quota) {
    List<Tree> quotas =
        flavors.stream()
            .map(flavor ->
                Tree.of(
                    "name",
                    flavor,
                    "resources",
                    List.of(Tree.of("name", resource, "nominalQuota", quota))))
            .toList();
    Tree group = Tree.of("coveredResources", List.of(resource), "flavors", quotas);
    Tree spec = Tree.of("namespaceSelector", Tree.EMPTY, "resourceGroups", List.of(group));
    return new ClusterQueue(ApiObject.of(Kinds.CLUSTER_QUEUE, "", name).withSpec(spec));
  }

  static ClusterQueue strict(ClusterQueue queue) {
    return new ClusterQueue(queue.object().with(List.of("spec", "queueingStrategy"), "StrictFIFO"));
  }

  static ClusterQueue selecting(ClusterQueue queue, Tree namespaces) {
    return new ClusterQueue(queue.object().with(List.of("spec", "namespaceSelector"), namespaces));
  }

  static PendingWorkload workload(String name, int count, String resource, String each) {
    Amounts total = Amounts.of(Tree.of(resource, each)).times(count);
    var podSet = new PodSetRequest("main", count, total, new PodSpec(Tree.EMPTY));
    return new PendingWorkload("team", name, name, "lq", 0, Instant.EPOCH, List.of(podSet));
  }

  static PendingWorkload priority(PendingWorkload workload, int priority) {
    return new PendingWorkload(
        workload.namespace(),
        workload.name(),
        workload.uid(),
        workload.localQueue(),
        priority,
        workload.since(),
        workload.podSets());
  }

  static PendingWorkload podSpec(PendingWorkload workload, Tree podSpec) {
    PodSetRequest podSet = workload.podSets().getFirst();
    return new PendingWorkload(
        workload.namespace(),
        workload.name(),
        workload.uid(),
        workload.localQueue(),
        workload.priority(),
        workload.since(),
        List.of(
            new PodSetRequest(
                podSet.name(), podSet.count(), podSet.total(), new PodSpec(podSpec))));
  }

  Queues with(ResourceFlavor flavor) {
    flavors.put(flavor.name(), flavor);
    return this;
  }

  Queues with(ClusterQueue queue) {
    clusterQueues.put(queue.name(), queue);
    return this;
  }

  Queues with(PendingWorkload workload) {
    pending.add(workload);
    return this;
  }

  Queues withNamespaceLabel(String name, String value) {
    namespaceLabels.put(name, value);
    return this;
  }

  /** What every workload is told, in the order of the decisions. */
  List<String> decide() {
    return decisions().stream()
        .map(decision -> decision.workload().name() + " " + told(decision))
        .toList();
  }

  /** The flavor that an admitted workload got. */
  String flavorOf(String workload) {
    return decisions().stream()
        .filter(decision -> decision.workload().name().equals(workload))
        .map(Decision.Admit.class::cast)
        .map(admit -> admit.admission().assignments().getFirst().flavors().values())
        .map(flavors -> String.join(",", flavors))
        .findFirst()
        .orElseThrow();
  }

  private List<Decision> decisions() {
    var localQueues = new TreeMap<String, LocalQueue>();
    localQueues.put(
        "team/lq",
        new LocalQueue(
            ApiObject.of(Kinds.LOCAL_QUEUE, "team", "lq").withSpec(Tree.of("clusterQueue", "cq"))));
    var labels = new TreeMap<String, SortedMap<String, String>>();
    labels.put("team", namespaceLabels);
    List<Admission> reserved = List.of();
    return AdmissionCycle.decide(
        new QueueSnapshot(flavors, clusterQueues, localQueues, labels, reserved, pending));
  }

  private static String told(Decision decision) {
    return switch (decision) {
      case Decision.Admit admit -> "admitted";
      case Decision.Wait wait -> wait.message();
      case Decision.Queue queue -> queue.reason().text();
      case Decision.Refuse refuse -> refuse.reason().text();
    };
  }
}
