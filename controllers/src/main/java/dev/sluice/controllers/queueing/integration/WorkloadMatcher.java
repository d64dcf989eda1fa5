package dev.sluice.controllers.queueing.integration;

import dev.sluice.controllers.ObjectIndex;
import dev.sluice.controllers.queueing.ConditionReasons;
import dev.sluice.controllers.queueing.ManagedJobs;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.Workload;
import dev.sluice.runtime.Cluster;
import java.util.List;
import java.util.Optional;

/**
 * The search for the one workload of a job, which also removes all others. A workload that does not
 * match any more is updated while it has no quota; otherwise it is deleted, once no pod of the job
 * uses its quota.
 */
final class WorkloadMatcher {
  private static final WorkloadLookup NOT_YET = new WorkloadLookup.NotYet();

  private final Cluster cluster;
  private final ObjectIndex<String> byOwner;
  private final WorkloadMaker maker;
  private final JobWorkloadWriter writer;
  private final WorkloadSlices slices;

  WorkloadMatcher(
      Cluster cluster,
      ObjectIndex<String> byOwner,
      WorkloadMaker maker,
      JobWorkloadWriter writer,
      ConditionReasons reasons) {
    this.cluster = cluster;
    this.byOwner = byOwner;
    this.maker = maker;
    this.writer = writer;
    this.slices = new WorkloadSlices(maker, writer, reasons);
  }

  WorkloadLookup find(QueuedJob job) {
    String prebuilt = ManagedJobs.prebuilt(job.object());
    if (!prebuilt.isEmpty()) {
      return prebuilt(job, prebuilt);
    }
    List<Workload> all = workloads(job);
    if (job.group() && all.stream().anyMatch(workload -> isForeign(job, workload))) {
      writer.warning(
          job,
          "WorkloadNameConflict",
          "A Workload named \"%s\" already exists but is not a pod group workload; this pod group cannot be admitted"
              .formatted(job.workloadName()));
      return NOT_YET;
    }
    return job.elastic() ? slice(job, all) : match(job, all);
  }

  private WorkloadLookup slice(QueuedJob job, List<Workload> all) {
    List<Workload> kept = all.stream().map(workload -> synced(job, workload)).toList();
    return slices.find(job, kept).orElseGet(() -> match(job, kept));
  }

  /** All workloads of a job, matching or not. */
  private List<Workload> workloads(QueuedJob job) {
    return job.group()
        ? named(job, job.workloadName()).stream().toList()
        : byOwner.objects(JobTerms.ownedBy(job.object())).stream()
            .filter(workload -> workload.isOwnedBy(job.object()))
            .map(Workload::new)
            .toList();
  }

  /** All workloads of a job, without one that only has the name of the group. */
  List<Workload> own(QueuedJob job) {
    return workloads(job).stream()
        .filter(workload -> !job.group() || !isForeign(job, workload))
        .toList();
  }

  private Optional<Workload> named(QueuedJob job, String name) {
    return cluster.get(Kinds.WORKLOAD.key(job.object().namespace(), name)).map(Workload::new);
  }

  private static boolean isForeign(QueuedJob job, Workload workload) {
    ApiObject object = workload.object();
    return !object.annotation(KueueNames.IS_GROUP_WORKLOAD).equals("true")
        && job.members().stream().noneMatch(object::isOwnedBy);
  }

  private WorkloadLookup match(QueuedJob job, List<Workload> all) {
    if (all.isEmpty()) {
      return new WorkloadLookup.None();
    }
    boolean over = job.finish().isPresent();
    Optional<Workload> match =
        all.stream().filter(workload -> over || job.matches(workload)).findFirst();
    if (match.isPresent()) {
      all.stream()
          .filter(workload -> !workload.equals(match.get()))
          .forEach(workload -> writer.remove(job, workload));
      return new WorkloadLookup.One(synced(job, match.get()));
    }
    Workload old = all.getFirst();
    return all.size() == 1 && !job.running() && canUpdate(old)
        ? new WorkloadLookup.One(writer.updateToMatch(job, old, maker.matching(old, job)))
        : replace(job, all);
  }

  private static boolean canUpdate(Workload workload) {
    return !workload.reserved() && !workload.finished() && !workload.object().isDeleting();
  }

  private WorkloadLookup replace(QueuedJob job, List<Workload> all) {
    List<PodSet> original = all.size() == 1 ? all.getFirst().podSets() : List.of();
    String message =
        original.isEmpty()
            ? "Missing Workload; unable to restore pod templates"
            : "No matching Workload; restoring pod templates according to existent Workload";
    if (writer.stop(job, Stop.Reason.NO_MATCHING_WORKLOAD, message, original)) {
      all.forEach(workload -> writer.remove(job, workload));
    }
    return NOT_YET;
  }

  private Workload synced(QueuedJob job, Workload workload) {
    if (workload.finished() || workload.object().isDeleting()) {
      return workload;
    }
    Workload owned = writer.adopt(job, workload);
    return writer.update(owned, maker.synced(owned, job));
  }

  private WorkloadLookup prebuilt(QueuedJob job, String name) {
    Optional<Workload> found = named(job, name);
    if (found.isEmpty() || isTaken(job, found.get())) {
      if (job.finish().isPresent()) {
        return new WorkloadLookup.None(); // a finished job is not stopped
      }
      writer.stop(job, Stop.Reason.NO_MATCHING_WORKLOAD, "missing workload", List.of());
      return NOT_YET;
    }
    Workload workload = found.get();
    if (workload.finished() || workload.object().isDeleting()) {
      return new WorkloadLookup.One(workload);
    }
    Workload owned = writer.adopt(job, workload); // gates and priority of a prebuilt workload stay
    if (job.finish().isEmpty() && !job.matches(owned)) {
      String message = "The prebuilt workload is out of sync with its user job";
      if (writer.stop(job, Stop.Reason.NO_MATCHING_WORKLOAD, message, owned.podSets())) {
        writer.finish(owned, "OutOfSync", message);
      }
      return NOT_YET;
    }
    return new WorkloadLookup.One(owned);
  }

  /** Whether a workload belongs to another job, or to a group, whose workload no pod controls. */
  private static boolean isTaken(QueuedJob job, Workload workload) {
    ApiObject object = workload.object();
    if (!job.group() && object.annotation(KueueNames.IS_GROUP_WORKLOAD).equals("true")) {
      return true;
    }
    return object.controller().isPresent()
        && job.members().stream()
            .noneMatch(member -> object.controller().get().uid().equals(member.uid()));
  }
}
