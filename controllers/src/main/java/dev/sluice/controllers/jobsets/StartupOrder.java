package dev.sluice.controllers.jobsets;

import dev.sluice.model.jobset.JobSet;
import dev.sluice.model.jobset.ReplicatedJob;
import dev.sluice.model.jobset.ReplicatedJob.Dependency;
import java.util.ArrayList;
import java.util.List;

/**
 * Which replicated jobs may start: each after those that it depends on, or one after the other in
 * the order of the JobSet.
 */
final class StartupOrder {
  private final JobSet set;
  private final List<ReplicatedJobCounts> counts;

  StartupOrder(JobSet set, List<ReplicatedJobCounts> counts) {
    this.set = set;
    this.counts = counts;
  }

  /**
   * The replicated jobs whose Jobs may be created. While the JobSet is suspended, an order is kept
   * by resuming Jobs one after the other, so all are created; those that depend on others wait.
   */
  List<ReplicatedJob> creatable() {
    List<ReplicatedJob> ordered =
        set.startsInOrder() && !set.isSuspended() ? inOrder() : set.replicatedJobs();
    return ordered.stream()
        .filter(replicated -> replicated.dependsOn().stream().allMatch(this::holds))
        .toList();
  }

  /** The replicated jobs whose Jobs may run. */
  List<ReplicatedJob> startable() {
    return set.startsInOrder() ? inOrder() : set.replicatedJobs();
  }

  /** All up to the first that has not started. */
  private List<ReplicatedJob> inOrder() {
    var ordered = new ArrayList<ReplicatedJob>();
    for (ReplicatedJob replicated : set.replicatedJobs()) {
      ordered.add(replicated);
      if (!counts(replicated.name()).hasStarted()) {
        break;
      }
    }
    return ordered;
  }

  /** Whether all replicated jobs have started. */
  boolean isCompleted() {
    return counts.stream().allMatch(ReplicatedJobCounts::hasStarted);
  }

  private boolean holds(Dependency dependency) {
    ReplicatedJobCounts other = counts(dependency.name());
    return switch (dependency.status()) {
      case READY -> other.hasStarted();
      case COMPLETE -> other.hasSucceeded();
    };
  }

  private ReplicatedJobCounts counts(String replicatedJob) {
    return counts.stream()
        .filter(each -> each.name().equals(replicatedJob))
        .findFirst()
        .orElseThrow(
            () -> new IllegalStateException("no replicated job is named " + replicatedJob));
  }
}
