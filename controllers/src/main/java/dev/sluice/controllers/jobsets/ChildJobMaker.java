package dev.sluice.controllers.jobsets;

import dev.sluice.controllers.HexDigest;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.batch.Job;
import dev.sluice.model.core.pod.PodTemplate;
import dev.sluice.model.jobset.JobSet;
import dev.sluice.model.jobset.JobSet.ClaimTemplate;
import dev.sluice.model.jobset.JobSetNames;
import dev.sluice.model.jobset.ReplicatedJob;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Makes the Jobs of a JobSet from its templates: names, the labels and annotations that tell a pod
 * its place in the JobSet, the subdomain and the volumes of claims.
 */
final class ChildJobMaker {
  private final JobSet set;
  private final List<ReplicatedJob> replicatedJobs;

  ChildJobMaker(JobSet set) {
    this.set = set;
    this.replicatedJobs = set.replicatedJobs();
  }

  /** The Job of a replicated job at an index. */
  ApiObject make(ReplicatedJob replicated, long index) {
    SortedMap<String, String> labels = labels(replicated, index);
    var annotations = new TreeMap<>(labels);
    annotations.putAll(placement(set, replicated));
    ApiObject bare =
        ApiObject.of(Kinds.JOB, set.namespace(), set.jobName(replicated.name(), index))
            .controlledBy(set.object())
            .withSpec(replicated.template().tree("spec"));
    ApiObject job =
        bare.withMetadata("labels", with(replicated.template(), "labels", labels))
            .withMetadata("annotations", with(replicated.template(), "annotations", annotations));
    return new Job(job)
        .withSuspend(set.isSuspended())
        .withTemplate(template(new Job(job), labels, annotations).tree())
        .object();
  }

  private PodTemplate template(
      Job job, Map<String, String> labels, Map<String, String> annotations) {
    Tree template = job.template();
    Tree named =
        template
            .with(List.of("metadata", "labels"), with(template, "labels", labels))
            .with(List.of("metadata", "annotations"), with(template, "annotations", annotations));
    Tree found =
        set.hasHostnames() ? named.with(List.of("spec", "subdomain"), set.subdomain()) : named;
    var complete = new PodTemplate(withClaims(found));
    return annotations.containsKey(JobSetNames.NODE_SELECTOR)
            && annotations.containsKey(JobSetNames.EXCLUSIVE_TOPOLOGY)
        ? onReservedNodes(complete, job)
        : complete;
  }

  private static Tree with(Tree template, String name, Map<String, String> more) {
    Tree all = template.tree("metadata", name);
    for (var entry : more.entrySet()) {
      all = all.with(entry.getKey(), entry.getValue());
    }
    return all;
  }

  private SortedMap<String, String> labels(ReplicatedJob replicated, long index) {
    var labels = new TreeMap<String, String>();
    labels.put(JobSetNames.JOB_SET, set.name());
    labels.put(JobSetNames.JOB_SET_UID, set.object().uid());
    labels.put(JobSetNames.REPLICATED_JOB, replicated.name());
    labels.put(JobSetNames.REPLICATED_JOB_REPLICAS, Long.toString(replicated.replicas()));
    labels.put(JobSetNames.GLOBAL_REPLICAS, Long.toString(set.replicas()));
    labels.put(JobSetNames.JOB_INDEX, Long.toString(index));
    labels.put(JobSetNames.JOB_GLOBAL_INDEX, Long.toString(before(replicated, "") + index));
    String group = replicated.groupName();
    labels.put(JobSetNames.GROUP, group);
    labels.put(JobSetNames.GROUP_REPLICAS, Long.toString(replicasOf(group)));
    labels.put(JobSetNames.JOB_GROUP_INDEX, Long.toString(before(replicated, group) + index));
    labels.put(JobSetNames.JOB_KEY, key(set.jobName(replicated.name(), index)));
    labels.put(JobSetNames.RESTART_ATTEMPT, Long.toString(set.restarts()));
    set.coordinatorEndpoint().ifPresent(endpoint -> labels.put(JobSetNames.COORDINATOR, endpoint));
    return labels;
  }

  /** How many Jobs the replicated jobs before this one have, of a group or of all groups. */
  private long before(ReplicatedJob replicated, String group) {
    return replicatedJobs.stream()
        .takeWhile(other -> !other.name().equals(replicated.name()))
        .filter(other -> group.isEmpty() || other.groupName().equals(group))
        .mapToLong(ReplicatedJob::replicas)
        .sum();
  }

  private long replicasOf(String group) {
    return replicatedJobs.stream()
        .filter(other -> other.groupName().equals(group))
        .mapToLong(ReplicatedJob::replicas)
        .sum();
  }

  /** A name of the Job that is short and unique in the cluster, so that it fits in a label. */
  private String key(String job) {
    return HexDigest.sha1(set.namespace() + "/" + job);
  }

  /** The annotations about exclusive placement; those of the template win. */
  static SortedMap<String, String> placement(JobSet set, ReplicatedJob replicated) {
    var placement = new TreeMap<String, String>();
    for (String name : List.of(JobSetNames.EXCLUSIVE_TOPOLOGY, JobSetNames.NODE_SELECTOR)) {
      String own = replicated.template().text("metadata", "annotations", name);
      String inherited = set.object().annotation(name);
      if (!own.isEmpty() || !inherited.isEmpty()) {
        placement.put(name, own.isEmpty() ? inherited : own);
      }
    }
    return placement;
  }

  private static PodTemplate onReservedNodes(PodTemplate template, Job job) {
    return template
        .selectingNodes(Map.of(JobSetNames.NAMESPACED_JOB, job.namespace() + "_" + job.name()))
        .tolerating(
            List.of(
                Tree.of(
                    "key", JobSetNames.NO_SCHEDULE, "operator", "Exists", "effect", "NoSchedule")));
  }

  /** A claim becomes a volume of the pods of which a container mounts it. */
  private Tree withClaims(Tree template) {
    var volumes = new ArrayList<>(template.trees("spec", "volumes"));
    for (ClaimTemplate claim : set.claimTemplates()) {
      if (new PodTemplate(template).spec().mounts(claim.name())) {
        volumes.add(
            Tree.of(
                "name",
                claim.name(),
                "persistentVolumeClaim",
                Tree.of("claimName", set.claimName(claim))));
      }
    }
    return volumes.isEmpty()
        ? template
        : template.with(List.of("spec", "volumes"), Items.of(volumes));
  }
}
