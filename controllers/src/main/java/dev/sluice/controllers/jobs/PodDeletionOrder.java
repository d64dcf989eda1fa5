package dev.sluice.controllers.jobs;

import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobPod;
import dev.sluice.model.core.pod.Pod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/** The order in which surplus active pods are deleted: first those that have done least work. */
final class PodDeletionOrder {

  static final Comparator<Pod> FIRST_TO_GO =
      Comparator.comparing(Pod::isBound)
          .thenComparingInt(PodDeletionOrder::progress)
          .thenComparing(Pod::isReady)
          .thenComparing(PodDeletionOrder::readySince, Comparator.reverseOrder())
          .thenComparingLong(pod -> -pod.status().mostRestarts())
          .thenComparingLong(pod -> -pod.status().mostSidecarRestarts(pod.spec()))
          .thenComparing(PodDeletionOrder::created, Comparator.reverseOrder())
          // As a tie-breaker, so that the order does not depend on chance.
          .thenComparing(Pod::name);

  private PodDeletionOrder() {}

  /**
   * At least so many pods to delete, among them every pod of an Indexed Job that shares its index
   * or has none below the completions: of pods that share one, the one that would be deleted last
   * stays.
   */
  static List<Pod> surplus(Job job, JobPods pods, long atLeast) {
    boolean misplaced = job.isIndexed() && pods.hasMisplaced(job.completions().orElse(0));
    if (atLeast <= 0 && !misplaced) {
      return List.of();
    }
    List<Pod> sorted = pods.active().stream().sorted(FIRST_TO_GO).toList();
    var gone = new ArrayList<Pod>();
    var rest = new ArrayList<Pod>();
    var taken = new TreeSet<Long>();
    for (Pod pod : sorted.reversed()) {
      boolean stays =
          !job.isIndexed()
              || (PodCounts.isPlaced(job, pod) && taken.add(new JobPod(pod).index().orElseThrow()));
      (stays ? rest : gone).add(pod);
    }
    long more = Math.min(atLeast - gone.size(), rest.size());
    rest.reversed().stream().limit(Math.max(0, more)).forEach(gone::add);
    return gone;
  }

  private static int progress(Pod pod) {
    return switch (pod.phase()) {
      case PENDING -> 0;
      case UNKNOWN -> 1;
      case RUNNING -> 2;
      case SUCCEEDED, FAILED -> 3;
    };
  }

  /**
   * The pod that became ready last is deleted first, and a ready pod without a time before all
   * others.
   */
  private static Instant readySince(Pod pod) {
    return pod.status().readySince().orElse(pod.isReady() ? Instant.MAX : Instant.EPOCH);
  }

  private static Instant created(Pod pod) {
    return pod.object().created().orElse(Instant.MAX);
  }
}
