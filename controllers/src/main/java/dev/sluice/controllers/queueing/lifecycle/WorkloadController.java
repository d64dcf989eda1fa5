package dev.sluice.controllers.queueing.lifecycle;

import dev.sluice.controllers.ObjectIndex;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.model.kueue.Workload;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.ObjectEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The controller of the lifecycle of workloads, whatever their owner: everything but the admission
 * decisions and the starting and stopping of jobs. The steps run in order, and the first that acts
 * ends the pass; its write enqueues the workload again.
 *
 * <p>A pass costs the same however many workloads there are. An index finds the workloads of a
 * queue, and only changes of a queue that matter to workloads count. A change of an AdmissionCheck
 * reaches workloads through the condition of the ClusterQueue that refers to it.
 */
public final class WorkloadController implements Controller {
  private final Cluster cluster;
  private final List<WorkloadStep> steps;
  private final ObjectIndex<ObjectKey> workloads;
  private final ObjectIndex<ObjectKey> localQueues;

  public WorkloadController(Cluster cluster, Configuration configuration) {
    var writer = new WorkloadWriter(cluster);
    this.cluster = cluster;
    this.workloads = new ObjectIndex<>(cluster, Kinds.WORKLOAD, WorkloadController::queues);
    this.localQueues =
        new ObjectIndex<>(cluster, Kinds.LOCAL_QUEUE, WorkloadController::clusterQueueOf);
    this.steps =
        List.of(
            new CompletionStep(cluster, configuration, writer),
            new ReplacementStep(cluster, configuration, writer),
            new ActivationStep(writer),
            new AdmissionStep(cluster, configuration, writer),
            new EvictionStep(cluster, configuration, writer),
            new DeadlineStep(cluster, configuration, writer));
  }

  @Override
  public String name() {
    return "workloads";
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(
        new Trigger(Kinds.LOCAL_QUEUE, this::ofLocalQueue),
        new Trigger(Kinds.CLUSTER_QUEUE, this::ofClusterQueue),
        new Trigger(Kinds.WORKLOAD, this::itself));
  }

  private List<ObjectKey> itself(ObjectEvent event) {
    workloads.changed(event.object());
    return List.of(event.object().key(Kinds.WORKLOAD));
  }

  private static List<ObjectKey> queues(ApiObject object) {
    var workload = new Workload(object);
    var keys = new ArrayList<ObjectKey>();
    if (!workload.finished()) {
      keys.add(Kinds.LOCAL_QUEUE.key(object.namespace(), workload.queueName()));
      workload.clusterQueue().ifPresent(queue -> keys.add(Kinds.CLUSTER_QUEUE.key(queue)));
    }
    return List.copyOf(keys);
  }

  private List<ObjectKey> ofLocalQueue(ObjectEvent event) {
    localQueues.changed(event.object());
    return matters(event) ? workloads.keys(event.object().key(Kinds.LOCAL_QUEUE)) : List.of();
  }

  private static List<ObjectKey> clusterQueueOf(ApiObject localQueue) {
    return List.of(Kinds.CLUSTER_QUEUE.key(new LocalQueue(localQueue).clusterQueue()));
  }

  private List<ObjectKey> ofClusterQueue(ObjectEvent event) {
    if (!matters(event)) {
      return List.of();
    }
    ObjectKey queue = event.object().key(Kinds.CLUSTER_QUEUE);
    var keys = new ArrayList<>(workloads.keys(queue));
    localQueues.keys(queue).forEach(localQueue -> keys.addAll(workloads.keys(localQueue)));
    return keys;
  }

  /** Whether an event about a queue changed more than numbers in its status. */
  static boolean matters(ObjectEvent event) {
    ApiObject now = event.object();
    return !event.keepsSpec()
        || event
            .before()
            .filter(before -> before.isDeleting() == now.isDeleting())
            .filter(before -> active(before) == active(now))
            .isEmpty();
  }

  private static boolean active(ApiObject queue) {
    return Condition.holds(queue.status(), ClusterQueue.ACTIVE);
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    Optional<Workload> workload = cluster.get(key).map(Workload::new);
    for (WorkloadStep step : workload.isPresent() ? steps : List.<WorkloadStep>of()) {
      Optional<Outcome> outcome = workload.flatMap(step::take);
      if (outcome.isPresent()) {
        return outcome.get();
      }
    }
    return Outcome.DONE;
  }
}
