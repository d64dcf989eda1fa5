package dev.sluice.engine.flavor;

import dev.sluice.engine.preemption.Target;
import java.util.List;

/** The mode of a flavor assignment, the worst first. */
public enum AssignmentMode {
  /** Does not fit, even with preemption. */
  NO_FIT,
  /** Would fit after preemption, but there are no candidates. */
  NO_CANDIDATES,
  /** Fits after preemption in its own ClusterQueue, and perhaps in others. */
  PREEMPT,
  /** Fits after preemption in other ClusterQueues only. */
  RECLAIM,
  /** Fits now. */
  FIT;

  public boolean needsPreemption() {
    return this == NO_CANDIDATES || this == PREEMPT || this == RECLAIM;
  }

  /** The mode for a workload of a queue with these victims. */
  public static AssignmentMode after(List<Target> victims, String queue) {
    if (victims.isEmpty()) {
      return NO_CANDIDATES;
    }
    for (Target target : victims) {
      if (target.victim().clusterQueue().equals(queue)) {
        return PREEMPT;
      }
    }
    return RECLAIM;
  }

  /** The word that messages show. */
  String word() {
    return switch (this) {
      case NO_FIT -> "NoFit";
      case NO_CANDIDATES -> "preemptionMode=NoCandidates";
      case PREEMPT -> "preemptionMode=Preempt";
      case RECLAIM -> "preemptionMode=Reclaim";
      case FIT -> "Fit";
    };
  }

  static AssignmentMode worse(AssignmentMode one, AssignmentMode other) {
    return one.compareTo(other) <= 0 ? one : other;
  }
}
