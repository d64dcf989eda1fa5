package dev.sluice.engine.admission.cycle;

import dev.sluice.engine.flavor.Assignment;
import dev.sluice.engine.queue.NoFitReason;
import dev.sluice.engine.requests.ResourceProblem;
import java.util.ArrayList;
import java.util.List;

/**
 * Why a workload waits.
 *
 * @param podSets what was missing, for each pod set that did not fit
 * @param victims how many others have been told to give way
 * @param problems what is wrong with its pods
 */
public record PendingReason(
    Kind kind, List<Unassigned> podSets, int victims, List<ResourceProblem> problems) {

  /** What has to happen next. */
  public enum Kind {
    /** Quota or queues must change. */
    NO_FIT,
    /** Others must end; none of them may be evicted. */
    NO_CANDIDATES,
    /** Others were told to give way. */
    PREEMPTING,
    /** Somebody else was served first; it is looked at again. */
    SKIPPED,
    /** Somebody else evicts the same workloads. */
    OVERLAPPING_VICTIMS,
    /** The queue does not serve its namespace. */
    NAMESPACE_MISMATCH,
    /** Its pods would never start as they are. */
    MISCONFIGURED,
    /** Pods of workloads that were admitted before are not ready. */
    PODS_NOT_READY,
    /** Others would have to give way, but a gate forbids to evict them. */
    GATED,
    /** A sibling with a better flavor is admitted. */
    BETTER_SIBLING,
    /** A sibling is admitted, and the queue does not move its workloads to this flavor. */
    MIGRATION_NOT_ALLOWED,
    /** A sibling with a worse flavor was told to give way. */
    MIGRATING
  }

  public PendingReason {
    podSets = List.copyOf(podSets);
    problems = List.copyOf(problems);
  }

  public static PendingReason of(Kind kind) {
    return new PendingReason(kind, List.of(), 0, List.of());
  }

  public static PendingReason misconfigured(List<ResourceProblem> problems) {
    return new PendingReason(Kind.MISCONFIGURED, List.of(), 0, problems);
  }

  static PendingReason of(Kind kind, Assignment assignment, int victims) {
    var unassigned = new ArrayList<Unassigned>();
    for (Assignment.PodSetFlavors podSet : assignment.podSets()) {
      if (!podSet.reasons().isEmpty()) {
        unassigned.add(new Unassigned(podSet.podSet().name(), podSet.reasons()));
      }
    }
    return new PendingReason(kind, unassigned, victims, List.of());
  }

  /** What a person is told. */
  public String message() {
    return switch (kind) {
      case NO_FIT, NO_CANDIDATES -> missing();
      case PREEMPTING -> missing() + ". Pending the preemption of " + victims + " workload(s)";
      case SKIPPED -> "Workload no longer fits after processing another workload";
      case OVERLAPPING_VICTIMS ->
          "Workload has overlapping preemption targets with another workload";
      case NAMESPACE_MISMATCH -> "workload namespace doesn't match ClusterQueue selector";
      case MISCONFIGURED -> ResourceProblem.message(problems);
      case PODS_NOT_READY -> "waiting for all admitted workloads to be in PodsReady condition";
      case GATED -> missing() + ". Preemption is held back by a closed gate";
      case BETTER_SIBLING -> "A variant with a more favorable flavor is admitted";
      case MIGRATION_NOT_ALLOWED -> "A variant is admitted, and does not migrate to this flavor";
      case MIGRATING -> "Pending the migration of " + victims + " workload(s)";
    };
  }

  private String missing() {
    var parts = new ArrayList<String>();
    for (Unassigned podSet : podSets) {
      List<String> texts = podSet.reasons().stream().map(NoFitReason::text).sorted().toList();
      parts.add(
          "couldn't assign flavors to pod set %s: %s"
              .formatted(podSet.name(), String.join(", ", texts)));
    }
    return String.join("; ", parts);
  }

  /** A pod set that found no room, and why each flavor was none. */
  public record Unassigned(String name, List<NoFitReason> reasons) {
    public Unassigned {
      reasons = List.copyOf(reasons);
    }
  }
}
