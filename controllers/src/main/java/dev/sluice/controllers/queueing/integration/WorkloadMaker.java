package dev.sluice.controllers.queueing.integration;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.controllers.queueing.ManagedJobs;
import dev.sluice.model.ApiObject;
import dev.sluice.model.OwnerReference;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.Workload;
import dev.sluice.runtime.Cluster;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The construction of workloads for jobs, and their updates while the job changes. */
public final class WorkloadMaker {
  private static final String PROVISIONING = "provreq.kueue.x-k8s.io/";

  private final Configuration configuration;
  private final JobPriority priorities;

  public WorkloadMaker(Cluster cluster, Configuration configuration) {
    this.configuration = configuration;
    this.priorities = new JobPriority(cluster);
  }

  /** A new workload for a job. */
  public Workload make(QueuedJob job) {
    ApiObject object = job.object();
    Workload workload =
        Workload.of(
            object.namespace(), job.workloadName(), ManagedJobs.queueName(object), job.podSets());
    ApiObject made = withOwners(workload.object(), job);
    Workload limited =
        withTimeLimit(
            new Workload(withCopies(made, job)), WorkloadEquivalence.maximumExecutionTime(job));
    return priorities.with(limited, job);
  }

  /** The workload with the labels and annotations that it has from its job. */
  private ApiObject withCopies(ApiObject workload, QueuedJob job) {
    ApiObject made = workload;
    for (String key : configuration.labelKeysToCopy()) {
      String value = job.labels().get(key);
      made = value == null ? made : made.withLabel(key, value);
    }
    for (String key : configuration.annotationKeysToCopy()) {
      String value = job.annotations().get(key);
      made = value == null ? made : made.withAnnotation(key, value);
    }
    for (var annotation : job.object().annotations().entrySet()) {
      boolean copied =
          annotation.getKey().startsWith(PROVISIONING)
              || (annotation.getKey().equals(KueueNames.ADMISSION_GATED_BY)
                  && configuration.has(Gate.ADMISSION_GATED_BY));
      made = copied ? made.withAnnotation(annotation.getKey(), annotation.getValue()) : made;
    }
    return made;
  }

  /** The workload with all members of its job as owners; a single one is its controller. */
  static ApiObject withOwners(ApiObject workload, QueuedJob job) {
    ApiObject owned = workload;
    for (ApiObject member : job.members()) {
      if (!owned.isOwnedBy(member)) {
        owned =
            job.group()
                ? owned.sharedBy(member)
                : owned.withOwner(OwnerReference.controller(member));
      }
    }
    if (job.group()) {
      return owned.withAnnotation(KueueNames.IS_GROUP_WORKLOAD, "true");
    }
    String uid = job.object().uid();
    return uid.length() <= 63 ? owned.withLabel(KueueNames.JOB_UID, uid) : owned;
  }

  static Workload withTimeLimit(Workload workload, Optional<Duration> limit) {
    return limit.isPresent()
        ? workload.withMaximumExecutionTime(limit.get())
        : workload.withoutMaximumExecutionTime();
  }

  /** A workload without quota, changed to match its job. */
  Workload matching(Workload workload, QueuedJob job) {
    Workload asked = workload.withPodSets(job.podSets());
    return priorities.renewed(
        withTimeLimit(asked, WorkloadEquivalence.maximumExecutionTime(job)), job);
  }

  /** The workload with the current priority class and admission gates of its job. */
  Workload synced(Workload workload, QueuedJob job) {
    Workload prioritized = priorities.updated(workload, job);
    return configuration.has(Gate.ADMISSION_GATED_BY)
        ? new Workload(withoutOpenGates(prioritized.object(), job.object()))
        : prioritized;
  }

  /** Gates are only opened: one that the job no longer has is removed, none is added. */
  private static ApiObject withoutOpenGates(ApiObject workload, ApiObject job) {
    String before = workload.annotation(KueueNames.ADMISSION_GATED_BY);
    List<String> closed = gates(job.annotation(KueueNames.ADMISSION_GATED_BY));
    List<String> kept = gates(before).stream().filter(closed::contains).toList();
    if (kept.size() == gates(before).size()) {
      return workload;
    }
    return kept.isEmpty()
        ? workload.withoutAnnotation(KueueNames.ADMISSION_GATED_BY)
        : workload.withAnnotation(KueueNames.ADMISSION_GATED_BY, String.join(",", kept));
  }

  private static List<String> gates(String annotation) {
    return annotation.isEmpty() ? List.of() : Arrays.asList(annotation.split(",", -1));
  }

  /** The pod sets with the counts of other pod sets of the same names. */
  static List<PodSet> resized(List<PodSet> podSets, List<PodSet> counts) {
    return podSets.stream()
        .map(podSet ->
            counts.stream()
                .filter(count -> count.name().equals(podSet.name()))
                .findFirst()
                .map(count -> podSet.withCount(count.count()))
                .orElse(podSet))
        .toList();
  }
}
