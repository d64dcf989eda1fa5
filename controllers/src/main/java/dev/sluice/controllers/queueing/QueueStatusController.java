package dev.sluice.controllers.queueing;

import dev.sluice.engine.admission.FlavorResource;
import dev.sluice.engine.admission.Usage;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.model.kueue.QueueStatus;
import dev.sluice.model.kueue.QueueStatus.FlavorUse;
import dev.sluice.model.kueue.ResourceGroup;
import dev.sluice.model.kueue.Workload;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Tells people how their queues stand: who waits, who runs, what is used, and whether they work.
 */
public final class QueueStatusController implements Controller {
  private final Cluster cluster;

  public QueueStatusController(Cluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public String name() {
    return "queue-status";
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(
        new Trigger(Kinds.WORKLOAD, this::queuesOf),
        new Trigger(Kinds.LOCAL_QUEUE, this::withClusterQueue),
        new Trigger(Kinds.CLUSTER_QUEUE, this::withLocalQueues),
        new Trigger(Kinds.RESOURCE_FLAVOR, event -> allClusterQueues()));
  }

  private List<ObjectKey> queuesOf(Event event) {
    var keys = new ArrayList<ObjectKey>();
    for (ApiObject object : List.of(event.object(), event.before().orElse(event.object()))) {
      var workload = new Workload(object);
      ObjectKey localQueue = Kinds.LOCAL_QUEUE.key(object.namespace(), workload.queueName());
      keys.add(localQueue);
      clusterQueueOf(localQueue).ifPresent(keys::add);
      workload
          .admission()
          .ifPresent(admission -> keys.add(Kinds.CLUSTER_QUEUE.key(admission.clusterQueue())));
    }
    return keys;
  }

  private Optional<ObjectKey> clusterQueueOf(ObjectKey localQueue) {
    return cluster
        .get(localQueue)
        .map(queue -> Kinds.CLUSTER_QUEUE.key(new LocalQueue(queue).clusterQueue()));
  }

  private List<ObjectKey> withClusterQueue(Event event) {
    var queue = new LocalQueue(event.object());
    return List.of(
        event.object().key(Kinds.LOCAL_QUEUE), Kinds.CLUSTER_QUEUE.key(queue.clusterQueue()));
  }

  private List<ObjectKey> withLocalQueues(Event event) {
    var keys = new ArrayList<ObjectKey>();
    keys.add(event.object().key(Kinds.CLUSTER_QUEUE));
    for (ApiObject queue : cluster.list(Kinds.LOCAL_QUEUE)) {
      if (new LocalQueue(queue).clusterQueue().equals(event.object().name())) {
        keys.add(queue.key(Kinds.LOCAL_QUEUE));
      }
    }
    return keys;
  }

  private List<ObjectKey> allClusterQueues() {
    return cluster.list(Kinds.CLUSTER_QUEUE).stream()
        .map(queue -> queue.key(Kinds.CLUSTER_QUEUE))
        .toList();
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    Optional<ApiObject> found = cluster.get(key);
    if (found.isPresent()) {
      ApiObject queue = found.get();
      QueueStatus status =
          key.kind().equals(Kinds.CLUSTER_QUEUE)
              ? clusterQueueStatus(queue)
              : localQueueStatus(queue);
      if (!status.tree().equals(queue.status())) {
        cluster.patchStatus(key.kind(), queue, status.tree());
      }
    }
    return Outcome.DONE;
  }

  private QueueStatus clusterQueueStatus(ApiObject object) {
    var queue = new ClusterQueue(object);
    List<Workload> workloads =
        unfinished(workload ->
            workload
                .admission()
                .map(admission -> admission.clusterQueue().equals(queue.name()))
                .orElseGet(() -> waitsFor(workload, queue)));
    return counted(object, workloads)
        .withUse(use(queue, workloads, workload -> true), use(queue, workloads, Workload::admitted))
        .withCondition(active(queue), cluster.time().now());
  }

  private QueueStatus localQueueStatus(ApiObject object) {
    List<Workload> workloads =
        unfinished(workload ->
            workload.object().namespace().equals(object.namespace())
                && workload.queueName().equals(object.name()));
    String clusterQueue = new LocalQueue(object).clusterQueue();
    Optional<ClusterQueue> target =
        cluster.get(Kinds.CLUSTER_QUEUE.key(clusterQueue)).map(ClusterQueue::new);
    Condition active =
        target.isEmpty()
            ? inactive("ClusterQueueDoesNotExist")
            : active(target.get()).holds()
                ? new Condition(
                    LocalQueue.ACTIVE, true, "Ready", "Can submit new workloads to localQueue")
                : inactive("ClusterQueueIsInactive");
    return counted(object, workloads).withCondition(active, cluster.time().now());
  }

  private static Condition inactive(String reason) {
    return new Condition(
        LocalQueue.ACTIVE, false, reason, "Can't submit new workloads to clusterQueue");
  }

  private List<Workload> unfinished(Predicate<Workload> filter) {
    return cluster.list(Kinds.WORKLOAD).stream()
        .map(Workload::new)
        .filter(workload -> !workload.finished())
        .filter(filter)
        .toList();
  }

  private boolean waitsFor(Workload workload, ClusterQueue queue) {
    ObjectKey localQueue =
        Kinds.LOCAL_QUEUE.key(workload.object().namespace(), workload.queueName());
    return clusterQueueOf(localQueue).map(key -> key.name().equals(queue.name())).orElse(false);
  }

  private static QueueStatus counted(ApiObject queue, List<Workload> workloads) {
    long reserving = workloads.stream().filter(Workload::reserved).count();
    long admitted = workloads.stream().filter(Workload::admitted).count();
    return new QueueStatus(queue.status())
        .withWorkloads(workloads.size() - reserving, reserving, admitted);
  }

  private static List<FlavorUse> use(
      ClusterQueue queue, List<Workload> workloads, Predicate<Workload> counts) {
    Usage usage =
        Usage.of(
            queue.name(),
            workloads.stream().filter(counts).flatMap(w -> w.admission().stream()).toList());
    var flavors = new ArrayList<FlavorUse>();
    for (ResourceGroup group : queue.resourceGroups()) {
      for (ResourceGroup.FlavorQuotas flavor : group.flavors()) {
        var amounts = new TreeMap<String, Long>();
        for (String resource : group.coveredResources()) {
          amounts.put(resource, usage.get(new FlavorResource(flavor.name(), resource)));
        }
        flavors.add(new FlavorUse(flavor.name(), amounts));
      }
    }
    return flavors;
  }

  private Condition active(ClusterQueue queue) {
    List<String> missing =
        queue.resourceGroups().stream()
            .flatMap(group -> group.flavors().stream())
            .map(ResourceGroup.FlavorQuotas::name)
            .filter(flavor -> cluster.get(Kinds.RESOURCE_FLAVOR.key(flavor)).isEmpty())
            .toList();
    return missing.isEmpty()
        ? new Condition(ClusterQueue.ACTIVE, true, "Ready", "Can admit new workloads")
        : new Condition(
            ClusterQueue.ACTIVE,
            false,
            "FlavorNotFound",
            "Can't admit new workloads: references missing ResourceFlavor(s): "
                + String.join(",", missing));
  }
}
