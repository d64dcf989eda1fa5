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
 * Lets go of workloads whose job is gone: they are finished, so that their quota is free, and
 * nothing keeps them. While a job is only going, its workload may go with it but counts on.
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

  /** Looks at all workloads of whatever had the name of a job, and of that job. */
  public void release(ObjectKey owner, Optional<ApiObject> job) {
    for (ApiObject workload : byOwner.objects(JobTerms.ownedBy(owner))) {
      boolean owned = job.isPresent() && workload.isOwnedBy(job.get());
      if (!owned && workload.owners().size() == 1) {
        release(workload);
      } else if (owned && job.get().isDeleting()) {
        letGo(workload);
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
    letGo(released);
  }

  private void letGo(ApiObject workload) {
    if (workload.hasFinalizer(KueueNames.IN_USE)) {
      cluster.update(Kinds.WORKLOAD, workload.withoutFinalizer(KueueNames.IN_USE));
    }
  }
}
