package dev.sluice.controllers.queueing;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.model.ApiObject;
import dev.sluice.model.kueue.KueueNames;

/**
 * The rule that says which workloads are orphans: they are not queued, and are finished. A workload
 * without an owner is an orphan only if it had one or is being deleted: users create workloads
 * without owners too.
 */
public final class OrphanRule {
  private OrphanRule() {}

  public static boolean isOrphan(ApiObject workload, Configuration configuration) {
    boolean hadOwner = !workload.label(KueueNames.JOB_UID).isEmpty();
    return workload.owners().isEmpty()
        && (workload.isDeleting()
            || (hadOwner && configuration.has(Gate.FINISH_ORPHANED_WORKLOADS)));
  }
}
