package dev.sluice.controllers.queueing.kinds;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.jobset.JobSet;
import dev.sluice.model.jobset.ReplicatedJob;
import dev.sluice.model.patch.Pointer;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The integration of JobSets: a pod set for each replicated job, with the pods of all its Jobs. */
public final class JobSetIntegration implements TemplateIntegration {
  private static final String COUNTS = "replicatedJobsStatus";

  @Override
  public String framework() {
    return "jobset.x-k8s.io/jobset";
  }

  @Override
  public ResourceKind kind() {
    return Kinds.JOB_SET;
  }

  @Override
  public List<Role> roles(ApiObject job) {
    List<ReplicatedJob> jobs = new JobSet(job).replicatedJobs();
    var roles = new ArrayList<Role>();
    for (int i = 0; i < jobs.size(); i++) {
      ReplicatedJob replicated = jobs.get(i);
      roles.add(
          new Role(
              replicated.name(),
              replicated.replicas() * replicated.podsPerJob(),
              Pointer.parse("/spec/replicatedJobs/" + i + "/template/spec/template")));
    }
    return roles;
  }

  @Override
  public boolean active(ApiObject job) {
    return job.status().trees(COUNTS).stream()
        .anyMatch(replicated -> count(replicated, "active") > 0);
  }

  @Override
  public Optional<Finish> finish(ApiObject job) {
    return Stream.of(JobSet.COMPLETED, JobSet.FAILED)
        .filter(type -> Condition.holds(job.status(), type))
        .findFirst()
        .map(type -> new Finish(type.equals(JobSet.COMPLETED), message(job, type)));
  }

  private static String message(ApiObject job, String type) {
    return Condition.find(job.status(), type).orElse(Tree.EMPTY).text("message");
  }

  @Override
  public boolean podsReady(ApiObject job) {
    long started =
        job.status().trees(COUNTS).stream()
            .mapToLong(replicated -> count(replicated, "ready") + count(replicated, "succeeded"))
            .sum();
    return started == new JobSet(job).replicas();
  }

  /** The pods of Jobs that have succeeded. */
  @Override
  public SortedMap<String, Integer> reclaimablePods(ApiObject job) {
    var reclaimable = new TreeMap<String, Integer>();
    for (ReplicatedJob replicated : new JobSet(job).replicatedJobs()) {
      long succeeded = succeeded(job, replicated.name());
      if (succeeded > 0 && succeeded <= replicated.replicas()) {
        reclaimable.put(
            replicated.name().toLowerCase(Locale.ROOT),
            Math.toIntExact(succeeded * replicated.podsPerJob()));
      }
    }
    return Collections.unmodifiableSortedMap(reclaimable);
  }

  private static long succeeded(ApiObject job, String replicatedJob) {
    return job.status().trees(COUNTS).stream()
        .filter(replicated -> replicated.text("name").equals(replicatedJob))
        .mapToLong(replicated -> count(replicated, "succeeded"))
        .sum();
  }

  private static long count(Tree replicated, String field) {
    return replicated.whole(field).orElse(0);
  }
}
