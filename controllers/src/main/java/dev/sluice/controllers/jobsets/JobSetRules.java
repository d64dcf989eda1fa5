package dev.sluice.controllers.jobsets;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.jobset.JobSet;
import dev.sluice.model.jobset.JobSetNames;
import dev.sluice.runtime.AdmissionHook;
import dev.sluice.runtime.Cluster;
import java.util.List;

/**
 * The admission rules of JobSets: defaults when one is created, validation, and what may change.
 */
public final class JobSetRules implements AdmissionHook {
  private final Cluster cluster;

  /**
   * @param cluster where volume claims may exist already
   */
  public JobSetRules(Cluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public ResourceKind kind() {
    return Kinds.JOB_SET;
  }

  @Override
  public ApiObject onCreate(ApiObject object) {
    return JobSetDefaults.complete(new JobSet(object)).object();
  }

  @Override
  public void checkCreate(ApiObject object) {
    var problems = new ValidationErrors();
    var set = new JobSet(object);
    JobSetValidation.check(set, problems);
    if (problems.isEmpty()) {
      ClaimValidation.check(set, cluster, problems);
    }
    problems.refuse(kind(), object.name());
  }

  @Override
  public void checkUpdate(ApiObject before, ApiObject after) {
    var problems = new ValidationErrors();
    JobSetUpdates.check(new JobSet(before), new JobSet(after), problems);
    problems.refuse(kind(), after.name());
  }

  /** Exclusive placement needs labels of nodes; without them it would be ignored silently. */
  @Override
  public List<String> warnings(ApiObject object) {
    var set = new JobSet(object);
    return set.replicatedJobs().stream()
        .map(replicated -> ChildJobMaker.placement(set, replicated))
        .filter(placement -> placement.containsKey(JobSetNames.EXCLUSIVE_TOPOLOGY))
        .filter(placement -> !placement.containsKey(JobSetNames.NODE_SELECTOR))
        .map(_ ->
            "metadata.annotations[%s] has no effect without %s and nodes that are labelled for it"
                .formatted(JobSetNames.EXCLUSIVE_TOPOLOGY, JobSetNames.NODE_SELECTOR))
        .distinct()
        .toList();
  }
}
