package dev.sluice.engine.admission.cycle;

import dev.sluice.engine.flavor.Considered;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.model.kueue.Admission;
import java.util.List;

/** What was decided for one workload. */
public sealed interface AdmissionDecision {

  PendingWorkload workload();

  /**
   * Gets these resources now.
   *
   * @param considered which flavors were looked at, apart from those that simply fit
   */
  record Admit(
      PendingWorkload workload,
      Admission admission,
      QuotaReservation reservation,
      List<Considered> considered)
      implements AdmissionDecision {
    public Admit {
      considered = List.copyOf(considered);
    }
  }

  /** Waits until these have gone; those who are on their way out already are not named again. */
  record Preempt(PendingWorkload workload, List<Target> victims, PendingReason waiting)
      implements AdmissionDecision {
    public Preempt {
      victims = List.copyOf(victims);
    }
  }

  /** Waits until something changes. */
  record Pending(PendingWorkload workload, PendingReason waiting) implements AdmissionDecision {}
}
