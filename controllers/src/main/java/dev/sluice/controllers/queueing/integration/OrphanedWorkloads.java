package dev.sluice.controllers.queueing.integration;

import dev.sluice.controllers.ObjectIndex;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.runtime.Cluster;
import java.util.Optional;

/**
 * The cleanup of workloads whose job is gone: they are finished, which releases their quota, and
 * lose their finalizer. While a job is being deleted, its workload may be deleted with it but keeps
 * its quota.
 */
public final class OrphanedWorkloads {
  private final Cluster cluster;
  private final Configuration configuration;
  private final ObjectIndex<String> byOwner;

  public OrphanedWorkloads(
      Cluster cluster, Configuration configuration, ObjectIndex<String> byOwner) {
    this.cluster = cluster;
    this.configuration = configuration;
    this.byOwner = byOwner;
  }

  /** Cleans up the workloads of a job, and those of earlier jobs of that name. */
  public void release(ObjectKey owner, Optional<ApiObject> job) {
    for (ApiObject workload : byOwner.objects(JobTerms.ownedBy(owner))) {
      boolean owned = job.isPresent() && workload.isOwnedBy(job.get());
      if (!owned && workload.owners().size() == 1) {
        release(workload);
      } else if (owned && job.get().isDeleting()) {
        removeFinalizer(workload);
      }
    }
  }

  public void release(ApiObject workload) {
    ApiObject released = workload;
    var view = new Workload(workload);
    if (!view.finished() && configuration.has(Gate.FINISH_ORPHANED_WORKLOADS)) {
      String message = "The workload's owner no longer exists";
      var status =
          WorkloadTransitions.finish(view.status(), "OwnerNotFound", message, cluster.time().now());
      released =
          cluster.patchStatus(
              Kinds.WORKLOAD, workload, Condition.observed(workload, status.tree()));
    }
    removeFinalizer(released);
  }

  private void removeFinalizer(ApiObject workload) {
    if (workload.hasFinalizer(KueueNames.IN_USE)) {
      cluster.update(Kinds.WORKLOAD, workload.withoutFinalizer(KueueNames.IN_USE));
    }
  }
}
