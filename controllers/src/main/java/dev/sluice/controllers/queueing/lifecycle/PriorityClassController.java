package dev.sluice.controllers.queueing.lifecycle;

import dev.sluice.controllers.ObjectIndex;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.Workload.PriorityClassRef;
import dev.sluice.model.kueue.WorkloadPriorityClass;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.ObjectEvent;
import java.util.List;
import java.util.Optional;

/**
 * The controller that updates the priority of workloads when their WorkloadPriorityClass changes. A
 * workload whose class is deleted keeps its priority.
 */
public final class PriorityClassController implements Controller {
  private final Cluster cluster;
  private final ObjectIndex<ObjectKey> workloads;

  public PriorityClassController(Cluster cluster) {
    this.cluster = cluster;
    this.workloads = new ObjectIndex<>(cluster, Kinds.WORKLOAD, PriorityClassController::classOf);
  }

  @Override
  public String name() {
    return "workload-priorities";
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(
        new Trigger(Kinds.WORKLOAD, this::ifClassIsNew),
        new Trigger(Kinds.WORKLOAD_PRIORITY_CLASS, this::allOfClass));
  }

  private static List<ObjectKey> classOf(ApiObject object) {
    var workload = new Workload(object);
    return workload
        .priorityClass()
        .filter(reference -> !workload.finished())
        .filter(
            reference -> reference.equals(PriorityClassRef.workloadPriorityClass(reference.name())))
        .map(reference -> List.of(Kinds.WORKLOAD_PRIORITY_CLASS.key(reference.name())))
        .orElse(List.of());
  }

  private List<ObjectKey> ifClassIsNew(ObjectEvent event) {
    workloads.changed(event.object());
    List<ObjectKey> before = event.before().map(PriorityClassController::classOf).orElse(List.of());
    List<ObjectKey> now = classOf(event.object());
    return now.isEmpty() || now.equals(before)
        ? List.of()
        : List.of(event.object().key(Kinds.WORKLOAD));
  }

  private List<ObjectKey> allOfClass(ObjectEvent event) {
    return workloads.keys(event.object().key(Kinds.WORKLOAD_PRIORITY_CLASS));
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    cluster.get(key).ifPresent(this::updatePriority);
    return Outcome.DONE;
  }

  private void updatePriority(ApiObject object) {
    Optional<Integer> value =
        classOf(object).stream()
            .findFirst()
            .flatMap(cluster::get)
            .map(found -> new WorkloadPriorityClass(found).value());
    var workload = new Workload(object);
    if (value.isPresent() && workload.priority() != value.get()) {
      cluster.update(Kinds.WORKLOAD, workload.withPriority(value.get()).object());
    }
  }
}
