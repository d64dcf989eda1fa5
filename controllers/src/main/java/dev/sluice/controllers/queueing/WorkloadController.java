package dev.sluice.controllers.queueing;

import dev.sluice.controllers.queueing.integration.WorkloadNames;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.OwnerReference;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import java.util.List;
import java.util.Optional;

/** Gives back what workloads hold whose job is gone, and lets them go. */
public final class WorkloadController implements Controller {
  private final Cluster cluster;
  private final ResourceKind jobKind;

  public WorkloadController(Cluster cluster, ResourceKind jobKind) {
    this.cluster = cluster;
    this.jobKind = jobKind;
  }

  @Override
  public String name() {
    return "orphaned-workloads-of-" + jobKind.plural();
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(
        Trigger.on(Kinds.WORKLOAD), new Trigger(jobKind, event -> workloadsOf(event.object())));
  }

  private List<ObjectKey> workloadsOf(ApiObject job) {
    return List.of(Kinds.WORKLOAD.key(job.namespace(), WorkloadNames.of(jobKind, job)));
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    Optional<ApiObject> found = cluster.get(key);
    if (found.isPresent() && isOrphan(found.get())) {
      release(found.get());
    }
    return Outcome.DONE;
  }

  /** Without an owner only when it is being deleted: people may create workloads by hand. */
  private boolean isOrphan(ApiObject workload) {
    Optional<OwnerReference> owner = workload.controller();
    if (owner.isEmpty()) {
      return workload.isDeleting();
    }
    return owner.get().kind().equals(jobKind.kind())
        && owner.get().group().equals(jobKind.group())
        && cluster
            .get(jobKind.key(workload.namespace(), owner.get().name()))
            .filter(job -> job.uid().equals(owner.get().uid()))
            .filter(job -> !job.isDeleting())
            .isEmpty();
  }

  private void release(ApiObject workload) {
    ApiObject released = workload;
    if (!new Workload(workload).finished()) {
      Tree status =
          new Condition(
                  WorkloadStatus.FINISHED,
                  true,
                  "OwnerNotFound",
                  "The workload's owner no longer exists")
              .in(workload.status(), cluster.time().now());
      released = cluster.patchStatus(Kinds.WORKLOAD, workload, status);
    }
    if (released.hasFinalizer(KueueNames.IN_USE)) {
      cluster.update(Kinds.WORKLOAD, released.withoutFinalizer(KueueNames.IN_USE));
    }
  }
}
