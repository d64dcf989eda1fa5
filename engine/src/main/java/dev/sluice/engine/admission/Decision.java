package dev.sluice.engine.admission;

import dev.sluice.model.kueue.Admission;
import java.util.ArrayList;
import java.util.List;

/** What one admission cycle decided for one workload. */
public sealed interface Decision {

  PendingWorkload workload();

  /** Runs now, with these resources. */
  record Admit(PendingWorkload workload, Admission admission) implements Decision {}

  /** Waits in its queue until something changes. */
  record Wait(PendingWorkload workload, String clusterQueue, List<Unassigned> podSets)
      implements Decision {
    public Wait {
      podSets = List.copyOf(podSets);
    }

    /** What a person is told. */
    public String message() {
      var parts = new ArrayList<String>();
      for (Unassigned podSet : podSets) {
        List<String> texts = podSet.reasons().stream().map(Reason::text).sorted().toList();
        parts.add(
            "couldn't assign flavors to pod set %s: %s"
                .formatted(podSet.name(), String.join(", ", texts)));
      }
      return String.join("; ", parts);
    }
  }

  /** Waits behind another workload of a strict queue, without having been looked at. */
  record Queue(PendingWorkload workload, String clusterQueue, Reason.Behind reason)
      implements Decision {}

  /** Cannot be admitted before somebody changes the queues. */
  record Refuse(PendingWorkload workload, Reason.NoWay reason) implements Decision {}

  /** A pod set that found no room, and why each flavor was none. */
  record Unassigned(String name, List<Reason> reasons) {
    public Unassigned {
      reasons = List.copyOf(reasons);
    }
  }
}
