package dev.sluice.controllers.queueing.integration;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.Int32;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.Workload;
import dev.sluice.runtime.Cluster;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The comparison of a workload with its job.
 *
 * <p>Pod sets are compared in their order: count, minimum count, containers, and, until the
 * workload is admitted, tolerations. Names, node selectors, affinity, labels and priority are not
 * compared. While quota is reserved, the job is compared with the pod sets as the start changes
 * them; a suspended job may also be unchanged.
 */
final class WorkloadEquivalence {
  private final Cluster cluster;
  private final Configuration configuration;

  WorkloadEquivalence(Cluster cluster, Configuration configuration) {
    this.cluster = cluster;
    this.configuration = configuration;
  }

  /** The maximum execution time in a job's label; a value that is no positive number is ignored. */
  static Optional<Duration> maximumExecutionTime(QueuedJob job) {
    OptionalInt seconds = Int32.positive(job.object().label(KueueNames.MAX_EXEC_TIME));
    return seconds.isPresent()
        ? Optional.of(Duration.ofSeconds(seconds.getAsInt()))
        : Optional.empty();
  }

  boolean holds(QueuedJob job, Workload workload) {
    List<PodSet> podSets = job.podSets();
    if (!workload.maximumExecutionTime().equals(maximumExecutionTime(job))) {
      return false;
    }
    boolean tolerations = !workload.admitted();
    boolean unchanged = same(podSets, workload.podSets(), tolerations);
    if (!workload.reserved() || workload.admission().isEmpty()) {
      return unchanged;
    }
    return (unchanged && !job.running()) || same(podSets, started(workload), tolerations);
  }

  private List<PodSet> started(Workload workload) {
    try {
      return PodSetInfo.of(cluster, configuration, workload, workload.admission().orElseThrow())
          .on(workload.podSets());
    } catch (PodSetConflict cannotStart) {
      return workload.podSets();
    }
  }

  private static boolean same(List<PodSet> one, List<PodSet> other, boolean tolerations) {
    if (one.size() != other.size()) {
      return false;
    }
    for (int i = 0; i < one.size(); i++) {
      if (one.get(i).count() != other.get(i).count()
          || minimum(one.get(i)) != minimum(other.get(i))
          || !runsTheSame(one.get(i), other.get(i), tolerations)) {
        return false;
      }
    }
    return true;
  }

  /** The number of pods to start with: all of them without a minimum, or with a larger one. */
  private static int minimum(PodSet podSet) {
    return Math.min(podSet.count(), podSet.minCount().orElse(podSet.count()));
  }

  /** Whether pod sets differ in their counts only. */
  static boolean differOnlyInCount(List<PodSet> one, List<PodSet> other) {
    if (one.size() != other.size()) {
      return false;
    }
    for (int i = 0; i < one.size(); i++) {
      if (!one.get(i).name().equals(other.get(i).name())
          || !runsTheSame(one.get(i), other.get(i), false)) {
        return false;
      }
    }
    return true;
  }

  private static boolean runsTheSame(PodSet one, PodSet other, boolean tolerations) {
    return one.template().runsTheSameAs(other.template())
        && (!tolerations || one.template().toleratesTheSameAs(other.template()));
  }
}
