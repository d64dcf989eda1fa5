package dev.sluice.engine.admission.cycle;

import dev.sluice.engine.admission.pending.PendingEntry;
import dev.sluice.engine.admission.pending.PendingQueue;
import dev.sluice.engine.flavor.Assignment;
import dev.sluice.engine.queue.NoFitReason;
import dev.sluice.engine.requests.ResourceProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The reason why a workload is pending.
 *
 * @param podSets what was missing, for each pod set that did not fit
 * @param victims how many workloads it preempts
 * @param problems what is wrong with its pods
 */
public record PendingReason(
    Kind kind, List<Unassigned> podSets, int victims, List<ResourceProblem> problems) {

  /** What has to happen next. */
  public enum Kind {
    /** Quota or queues must change. */
    NO_FIT,
    /** Other workloads must end; none of them may be preempted. */
    NO_CANDIDATES,
    /** It preempts others, which still hold their quota. */
    PREEMPTING,
    /** It no longer fits after another workload; it is tried again. */
    SKIPPED,
    /** Another workload preempts the same victims. */
    OVERLAPPING_VICTIMS,
    /** The ClusterQueue does not select its namespace. */
    NAMESPACE_MISMATCH,
    /** Its pods would never start as they are. */
    MISCONFIGURED,
    /** Pods of workloads that were admitted before are not ready. */
    PODS_NOT_READY,
    /** It would preempt others, but a closed gate forbids that. */
    GATED,
    /** A sibling with a better flavor is admitted. */
    BETTER_SIBLING,
    /** A sibling is admitted, and the queue does not move its workloads to this flavor. */
    MIGRATION_NOT_ALLOWED,
    /** A sibling with a worse flavor is preempted for it. */
    MIGRATING
  }

  public PendingReason {
    podSets = List.copyOf(podSets);
    problems = List.copyOf(problems);
  }

  public static PendingReason of(Kind kind) {
    return new PendingReason(kind, List.of(), 0, List.of());
  }

  /** Why a workload is not admitted before the rules change, however much quota there is. */
  public static Optional<PendingReason> exclusion(PendingQueue queue, PendingEntry entry) {
    if (!queue.matchesNamespace(entry)) {
      return Optional.of(of(Kind.NAMESPACE_MISMATCH));
    }
    return entry.workload().problems().isEmpty()
        ? Optional.empty()
        : Optional.of(misconfigured(entry.workload().problems()));
  }

  private static PendingReason misconfigured(List<ResourceProblem> problems) {
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

  /** The message of its condition. */
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

  /** A pod set that does not fit, and the reason for each flavor. */
  public record Unassigned(String name, List<NoFitReason> reasons) {
    public Unassigned {
      reasons = List.copyOf(reasons);
    }
  }
}
