package dev.sluice.controllers.queueing.lifecycle;

import dev.sluice.controllers.ObjectIndex;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.controllers.queueing.VariantPolicy;
import dev.sluice.controllers.queueing.WorkloadNames;
import dev.sluice.controllers.queueing.WorkloadQueues;
import dev.sluice.engine.variants.VariantPlan;
import dev.sluice.engine.variants.VariantSet;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.model.kueue.Workload;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.ObjectEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The controller of concurrent admission: it keeps parents and their variants consistent, as {@link
 * VariantPlan} decides. Its keys are parents; an event about a variant enqueues the parent. With
 * the feature gate {@code ConcurrentAdmission} off no variants are created, and existing ones are
 * removed.
 */
public final class VariantController implements Controller {
  private final Cluster cluster;
  private final VariantPolicy policy;
  private final VariantWriter writer;
  private final boolean shortNames;
  private final ObjectIndex<ObjectKey> workloads;
  private final ObjectIndex<ObjectKey> localQueues;

  public VariantController(Cluster cluster, Configuration configuration) {
    this.cluster = cluster;
    this.policy = new VariantPolicy(cluster, configuration);
    this.writer = new VariantWriter(cluster, configuration);
    this.workloads = new ObjectIndex<>(cluster, Kinds.WORKLOAD, VariantController::references);
    this.localQueues =
        new ObjectIndex<>(cluster, Kinds.LOCAL_QUEUE, VariantController::clusterQueueOf);
    this.shortNames = configuration.has(Gate.SHORT_WORKLOAD_NAMES);
  }

  @Override
  public String name() {
    return "variants";
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(
        new Trigger(Kinds.LOCAL_QUEUE, this::ofLocalQueue),
        new Trigger(Kinds.CLUSTER_QUEUE, this::ofClusterQueue),
        new Trigger(Kinds.WORKLOAD, this::ofWorkload));
  }

  /** The parent of a variant, the LocalQueue of any other workload. */
  private static List<ObjectKey> references(ApiObject object) {
    var workload = new Workload(object);
    return workload.parent().isPresent()
        ? List.of(Kinds.WORKLOAD.key(object.namespace(), workload.parent().get().name()))
        : List.of(Kinds.LOCAL_QUEUE.key(object.namespace(), workload.queueName()));
  }

  private static List<ObjectKey> clusterQueueOf(ApiObject localQueue) {
    return List.of(Kinds.CLUSTER_QUEUE.key(new LocalQueue(localQueue).clusterQueue()));
  }

  private List<ObjectKey> ofWorkload(ObjectEvent event) {
    workloads.changed(event.object());
    var concerned = new ArrayList<ObjectKey>();
    var named = new ArrayList<ObjectKey>();
    event.before().ifPresent(before -> named.addAll(references(before)));
    named.addAll(references(event.object()));
    named.stream().filter(key -> key.kind().equals(Kinds.WORKLOAD)).forEach(concerned::add);
    if (policy.isOn() || new Workload(event.object()).isParent()) {
      concerned.add(event.object().key(Kinds.WORKLOAD));
    }
    return concerned;
  }

  private List<ObjectKey> ofLocalQueue(ObjectEvent event) {
    localQueues.changed(event.object());
    return policy.isOn() && WorkloadController.matters(event)
        ? workloads.keys(event.object().key(Kinds.LOCAL_QUEUE))
        : List.of();
  }

  private List<ObjectKey> ofClusterQueue(ObjectEvent event) {
    var keys = new ArrayList<ObjectKey>();
    if (policy.isOn() && WorkloadController.matters(event)) {
      localQueues
          .keys(event.object().key(Kinds.CLUSTER_QUEUE))
          .forEach(localQueue -> keys.addAll(workloads.keys(localQueue)));
    }
    return keys;
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    Optional<Workload> parent = cluster.get(key).map(Workload::new);
    List<Workload> named = variants(key);
    List<Workload> own =
        named.stream()
            .filter(variant ->
                parent.filter(owner -> variant.object().isOwnedBy(owner.object())).isPresent())
            .toList();
    VariantPlan.orphaned(named.stream().filter(variant -> !own.contains(variant)).toList())
        .steps()
        .forEach(writer::write);
    if (parent.isEmpty() || parent.get().parent().isPresent()) {
      return Outcome.DONE;
    }
    VariantPlan plan = VariantPlan.of(variantSet(parent.get(), own), cluster.time().now());
    plan.steps().forEach(writer::write);
    return plan.again()
        .map(at -> Outcome.again(Duration.between(cluster.time().now(), at)))
        .orElse(Outcome.DONE);
  }

  /** All variants whose parent has that name. */
  private List<Workload> variants(ObjectKey parent) {
    return workloads.keys(parent).stream()
        .flatMap(key -> cluster.get(key).stream())
        .map(Workload::new)
        .filter(workload -> workload.parent().isPresent())
        .toList();
  }

  private VariantSet variantSet(Workload parent, List<Workload> own) {
    String queue = WorkloadQueues.of(parent, cluster).clusterQueueName();
    boolean suits = policy.isOn() && VariantPolicy.suits(parent);
    return new VariantSet(
        parent,
        own,
        !suits || cluster.get(Kinds.CLUSTER_QUEUE.key(queue)).isPresent(),
        suits ? policy.rules(queue) : Optional.empty(),
        flavor -> WorkloadNames.ofVariant(parent.object(), flavor, shortNames));
  }
}
