package dev.sluice.dashboard;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import java.util.List;

/**
 * What the page shows: the queues with what they have and use, and the workloads with their state.
 */
final class QueueOverview {
  private QueueOverview() {}

  static Tree of(Cluster cluster) {
    return Tree.of(
        "queues",
            Items.of(cluster.list(Kinds.CLUSTER_QUEUE).stream().map(QueueOverview::queue).toList()),
        "workloads",
            Items.of(cluster.list(Kinds.WORKLOAD).stream().map(QueueOverview::workload).toList()));
  }

  private static Tree queue(ApiObject queue) {
    return Tree.of(
        "name", queue.name(),
        "pending", queue.status().whole("pendingWorkloads").orElse(0),
        "admitted", queue.status().whole("admittedWorkloads").orElse(0),
        "quotas", queue.spec().at("resourceGroups"),
        "usage", Items.of(queue.status().trees("flavorsUsage")));
  }

  private static Tree workload(ApiObject object) {
    var workload = new Workload(object);
    List<String> states = List.of(Workload.FINISHED, Workload.ADMITTED, Workload.QUOTA_RESERVED);
    String state =
        states.stream()
            .filter(condition -> Condition.holds(object.status(), condition))
            .findFirst()
            .orElse("Pending");
    String message =
        Condition.find(object.status(), state.equals("Pending") ? Workload.QUOTA_RESERVED : state)
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
