package dev.sluice.engine.flavor;

import dev.sluice.engine.preemption.Target;
import java.util.List;

/** How well something fits, the worst first. */
public enum AssignmentMode {
  /** Not as things are. */
  NO_FIT,
  /** It would after preemption, but there is nobody to evict. */
  NO_CANDIDATES,
  /** After workloads of its own queue, perhaps besides others, have gone. */
  PREEMPT,
  /** After workloads of other queues have gone. */
  RECLAIM,
  /** Now. */
  FIT;

  public boolean needsPreemption() {
    return this == NO_CANDIDATES || this == PREEMPT || this == RECLAIM;
  }

  /** What it is for a workload of a queue that these give way. */
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

  /** What a person is told. */
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
