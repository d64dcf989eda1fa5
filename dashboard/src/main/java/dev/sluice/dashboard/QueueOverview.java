package dev.sluice.dashboard;

import dev.sluice.model.Amounts;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.QueueStatus;
import dev.sluice.model.kueue.ResourceGroup;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import java.util.ArrayList;
import java.util.List;

/** The content of the page: queues with their quotas and usage, workloads with their state. */
final class QueueOverview {
  private QueueOverview() {}

  static Tree of(Cluster cluster) {
    return Tree.of(
        "queues",
            Items.of(cluster.list(Kinds.CLUSTER_QUEUE).stream().map(QueueOverview::queue).toList()),
        "workloads",
            Items.of(cluster.list(Kinds.WORKLOAD).stream().map(QueueOverview::workload).toList()));
  }

  private static Tree queue(ApiObject object) {
    var status = new QueueStatus(object.status());
    return Tree.of(
        "name", object.name(),
        "pending", status.pending(),
        "admitted", status.admitted(),
        "quotas", Items.of(quotas(new ClusterQueue(object), status)));
  }

  private static List<Tree> quotas(ClusterQueue queue, QueueStatus status) {
    var quotas = new ArrayList<Tree>();
    for (ResourceGroup group : queue.resourceGroups()) {
      for (ResourceGroup.FlavorQuotas flavor : group.flavors()) {
        flavor
            .quotas()
            .forEach((resource, quota) ->
                quotas.add(
                    Tree.of(
                        "flavor", flavor.name(),
                        "resource", resource,
                        "used", status.used(flavor.name(), resource),
                        "nominal", Amounts.quantity(resource, quota.nominal()).toString())));
      }
    }
    return quotas;
  }

  private static Tree workload(ApiObject object) {
    var workload = new Workload(object);
    List<String> states =
        List.of(WorkloadStatus.FINISHED, WorkloadStatus.ADMITTED, WorkloadStatus.QUOTA_RESERVED);
    String state =
        states.stream()
            .filter(condition -> Condition.holds(object.status(), condition))
            .findFirst()
            .orElse("Pending");
    String message =
        Condition.find(
                object.status(), state.equals("Pending") ? WorkloadStatus.QUOTA_RESERVED : state)
            .map(condition -> condition.text("message"))
            .orElse("");
    return Tree.of(
        "namespace", object.namespace(),
        "name", object.name(),
        "queue", workload.queueName(),
        "state", state,
        "message", message);
  }
}
