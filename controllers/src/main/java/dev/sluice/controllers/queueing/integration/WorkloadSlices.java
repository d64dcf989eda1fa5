package dev.sluice.controllers.queueing.integration;

import dev.sluice.controllers.queueing.ConditionReasons;
import dev.sluice.controllers.queueing.SliceRules;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.model.ApiObject;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The workload slices of an elastic job: a chain in which each slice replaces its predecessor.
 *
 * <p>A slice without quota, or one that scales down, is updated in place. A job that scales up
 * keeps running on its old slice until a larger one is admitted; then the old one is finished. So
 * the job never uses more than its quota, and an eviction of the old slice stops the job and
 * removes the new slice.
 */
final class WorkloadSlices {
  private final WorkloadMaker maker;
  private final JobWorkloadWriter writer;
  private final ConditionReasons reasons;

  WorkloadSlices(WorkloadMaker maker, JobWorkloadWriter writer, ConditionReasons reasons) {
    this.maker = maker;
    this.writer = writer;
    this.reasons = reasons;
  }

  static boolean isSlice(Workload workload) {
    return workload.object().annotation(KueueNames.ELASTIC_JOB).equals("true");
  }

  /** The name of the first slice of a workload's chain. */
  static String chain(Workload workload) {
    String first = workload.object().annotation(KueueNames.SLICE_NAME);
    return first.isEmpty() ? workload.object().name() : first;
  }

  /** The slice that a job runs on, or waits for; empty if more than the counts differ. */
  Optional<WorkloadLookup> find(QueuedJob job, List<Workload> workloads) {
    List<Workload> all = oldestFirst(workloads);
    List<Workload> open = all.stream().filter(slice -> !slice.finished()).toList();
    Optional<Workload> deleting =
        open.stream().filter(slice -> slice.object().isDeleting()).findFirst();
    if (deleting.isPresent()) {
      return deleting.map(WorkloadLookup.One::new);
    }
    if (open.isEmpty()) {
      return Optional.of(closed(job, all));
    }
    List<PodSet> wanted = job.podSets();
    boolean onlySize =
        open.stream()
            .allMatch(slice -> WorkloadEquivalence.differOnlyInCount(wanted, slice.podSets()));
    if (!onlySize) {
      return Optional.empty();
    }
    return Optional.of(
        new WorkloadLookup.One(job.finish().isPresent() ? open.getFirst() : pick(job, open)));
  }

  /**
   * The slice with which a chain ended. If all slices were replaced, the successor of the last is
   * gone, and a new chain begins.
   */
  private static WorkloadLookup closed(QueuedJob job, List<Workload> all) {
    boolean over = job.finish().isPresent();
    return all.reversed().stream()
        .filter(slice -> over || !isReplaced(slice))
        .findFirst()
        .<WorkloadLookup>map(WorkloadLookup.One::new)
        .orElseGet(WorkloadLookup.None::new);
  }

  private static boolean isReplaced(Workload slice) {
    return slice.status().reason(WorkloadStatus.FINISHED).equals(SliceRules.REPLACED);
  }

  /** Sorts by the position in the chain: creation timestamps are whole seconds and may be equal. */
  private static List<Workload> oldestFirst(List<Workload> slices) {
    return slices.stream()
        .sorted(
            Comparator.comparingInt((Workload slice) -> position(slice, slices, slices.size()))
                .thenComparing(slice -> slice.object().created().orElse(Instant.MAX))
                .thenComparing(slice -> slice.object().name()))
        .toList();
  }

  /** The number of slices before one; {@code limit} ends a chain that is a cycle. */
  private static int position(Workload slice, List<Workload> slices, int limit) {
    String before = slice.object().annotation(KueueNames.SLICE_REPLACEMENT_FOR);
    return slices.stream()
        .filter(other -> limit > 0 && other.object().path().equals(before))
        .findFirst()
        .map(other -> 1 + position(other, slices, limit - 1))
        .orElse(0);
  }

  private Workload pick(QueuedJob job, List<Workload> open) {
    Workload first = open.getFirst();
    if (open.size() == 1) {
      return resized(job, first);
    }
    Workload next = open.get(1);
    if (next.admitted()) {
      var rest = new ArrayList<>(open.subList(1, open.size()));
      rest.set(0, writer.replace(first, next));
      return pick(job, rest);
    }
    boolean keepsQuota = first.reserved() && !first.status().holds(WorkloadStatus.EVICTED);
    if (!keepsQuota || fits(job.podSets(), first.podSets())) {
      open.subList(1, open.size()).forEach(slice -> writer.remove(job, slice));
      return resized(job, first);
    }
    if (!next.reserved()) {
      resize(job, next);
    } else if (next.status().holds(WorkloadStatus.EVICTED)) {
      // The job runs on the old slice alone, so no pod has to stop first.
      writer.report(next, WorkloadTransitions.releaseEvicted(next.status(), reasons, writer.now()));
    }
    return first;
  }

  private Workload resized(QueuedJob job, Workload slice) {
    if (!slice.reserved() || fits(job.podSets(), slice.podSets())) {
      return resize(job, slice);
    }
    if (!slice.status().holds(WorkloadStatus.EVICTED)) {
      // The start has changed the templates of the job; the slice has the original ones.
      List<PodSet> podSets = WorkloadMaker.resized(slice.podSets(), job.podSets());
      writer.create(job, slice(maker.make(job).withPodSets(podSets), Optional.of(slice)));
    }
    return slice;
  }

  private Workload resize(QueuedJob job, Workload slice) {
    Workload resized = slice.withPodSets(WorkloadMaker.resized(slice.podSets(), job.podSets()));
    Workload wanted =
        slice.reserved()
            ? scaledDown(slice, resized)
            : WorkloadMaker.withTimeLimit(resized, WorkloadEquivalence.maximumExecutionTime(job));
    return wanted.equals(slice) ? slice : writer.updateToMatch(job, slice, wanted);
  }

  /**
   * A slice that gets smaller remembers its size until its reclaimable pods are counted again:
   * those of the larger slice may be the ones that it lost.
   */
  private static Workload scaledDown(Workload slice, Workload resized) {
    ApiObject object = resized.object();
    boolean counted = slice.status().reclaimablePods().isEmpty();
    if (counted
        || resized.equals(slice)
        || !object.annotation(KueueNames.RECLAIMABLE_OF).isEmpty()) {
      return resized;
    }
    int size = slice.podSets().stream().mapToInt(PodSet::count).max().orElse(0);
    return new Workload(object.withAnnotation(KueueNames.RECLAIMABLE_OF, Integer.toString(size)));
  }

  /** The slice after its reclaimable pods were counted. */
  static Workload counted(Workload slice) {
    return new Workload(slice.object().withoutAnnotation(KueueNames.RECLAIMABLE_OF));
  }

  /** Whether no pod set has more pods than the admitted one of its name. */
  private static boolean fits(List<PodSet> wanted, List<PodSet> admitted) {
    List<PodSet> limits = WorkloadMaker.resized(wanted, admitted);
    for (int i = 0; i < wanted.size(); i++) {
      if (wanted.get(i).count() > limits.get(i).count()) {
        return false;
      }
    }
    return true;
  }

  /** A new workload as a slice: the first of a chain, or the replacement of another slice. */
  static Workload slice(Workload made, Optional<Workload> replaced) {
    ApiObject slice = made.object().withAnnotation(KueueNames.ELASTIC_JOB, "true");
    slice =
        slice.withAnnotation(
            KueueNames.SLICE_NAME, replaced.map(WorkloadSlices::chain).orElse(slice.name()));
    return new Workload(
        replaced.isEmpty()
            ? slice
            : slice.withAnnotation(
                KueueNames.SLICE_REPLACEMENT_FOR, replaced.get().object().path()));
  }
}
