package dev.sluice.controllers.queueing.lifecycle;

import dev.sluice.controllers.ObjectIndex;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.ResourceFlavor;
import dev.sluice.model.kueue.ResourceGroup;
import dev.sluice.model.kueue.Workload;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.ObjectEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The controller of the finalizer {@code resource-in-use}: a deleted object stays while it is used.
 * It covers flavors and checks that ClusterQueues refer to, topologies that flavors refer to, and
 * ClusterQueues in which workloads have quota reserved. The admission hooks give new flavors and
 * ClusterQueues the finalizer; checks, topologies and objects that bypassed the hooks get it here.
 */
public final class InUseController implements Controller {
  private final Cluster cluster;
  private final ResourceKind kind;
  private final ResourceKind userKind;
  private final Function<ApiObject, List<ObjectKey>> uses;
  private final ObjectIndex<ObjectKey> users;

  private InUseController(
      Cluster cluster,
      ResourceKind kind,
      ResourceKind userKind,
      Function<ApiObject, List<ObjectKey>> uses) {
    this.cluster = cluster;
    this.kind = kind;
    this.userKind = userKind;
    this.uses = uses;
    this.users = new ObjectIndex<>(cluster, userKind, uses);
  }

  /** The controller for flavors, which ClusterQueues refer to. */
  public static InUseController ofFlavors(Cluster cluster) {
    return new InUseController(
        cluster, Kinds.RESOURCE_FLAVOR, Kinds.CLUSTER_QUEUE, InUseController::flavors);
  }

  /** The controller for checks, which ClusterQueues refer to. */
  public static InUseController ofChecks(Cluster cluster) {
    return new InUseController(
        cluster, Kinds.ADMISSION_CHECK, Kinds.CLUSTER_QUEUE, InUseController::checks);
  }

  /** The controller for topologies, which flavors refer to. */
  public static InUseController ofTopologies(Cluster cluster) {
    return new InUseController(
        cluster, Kinds.TOPOLOGY, Kinds.RESOURCE_FLAVOR, InUseController::topology);
  }

  /** The controller for ClusterQueues, in which workloads have quota reserved. */
  public static InUseController ofClusterQueues(Cluster cluster) {
    return new InUseController(
        cluster, Kinds.CLUSTER_QUEUE, Kinds.WORKLOAD, InUseController::reservation);
  }

  private static List<ObjectKey> flavors(ApiObject queue) {
    var keys = new ArrayList<ObjectKey>();
    for (ResourceGroup group : new ClusterQueue(queue).resourceGroups()) {
      group.flavors().forEach(flavor -> keys.add(Kinds.RESOURCE_FLAVOR.key(flavor.name())));
    }
    return List.copyOf(keys);
  }

  private static List<ObjectKey> topology(ApiObject flavor) {
    String name = new ResourceFlavor(flavor).topologyName();
    return name.isEmpty() ? List.of() : List.of(Kinds.TOPOLOGY.key(name));
  }

  private static List<ObjectKey> checks(ApiObject queue) {
    return new ClusterQueue(queue)
        .admissionChecks().keySet().stream().map(Kinds.ADMISSION_CHECK::key).toList();
  }

  private static List<ObjectKey> reservation(ApiObject object) {
    var workload = new Workload(object);
    return workload
        .admission()
        .filter(admission -> !workload.finished())
        .map(admission -> List.of(Kinds.CLUSTER_QUEUE.key(admission.clusterQueue())))
        .orElse(List.of());
  }

  @Override
  public String name() {
    return kind.plural() + "-in-use";
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(new Trigger(userKind, this::usedBefore), Trigger.on(kind));
  }

  /** Only an object that loses a reference can become unused. */
  private List<ObjectKey> usedBefore(ObjectEvent event) {
    users.changed(event.object());
    return event.before().map(uses).orElse(List.of()).stream()
        .filter(used -> !users.contains(used))
        .toList();
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    cluster.get(key).ifPresent(object -> reconcile(key, object));
    return Outcome.DONE;
  }

  private void reconcile(ObjectKey key, ApiObject object) {
    boolean marked = object.hasFinalizer(KueueNames.IN_USE);
    if (object.isDeleting() && marked && !users.contains(key)) {
      cluster.update(kind, object.withoutFinalizer(KueueNames.IN_USE));
    } else if (!object.isDeleting() && !marked) {
      cluster.update(kind, object.withFinalizer(KueueNames.IN_USE));
    }
  }
}
