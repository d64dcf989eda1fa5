package dev.sluice.engine.admission.cycle;

import dev.sluice.engine.flavor.Considered;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.model.kueue.Admission;
import java.util.List;

/** The decision about one workload. */
public sealed interface AdmissionDecision {

  PendingWorkload workload();

  /**
   * It gets these resources now.
   *
   * @param considered the flavors that were tried, apart from those that simply fit
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

  /** It waits until its victims are gone; those that are evicted already are not named again. */
  record Preempt(PendingWorkload workload, List<Target> victims, PendingReason reason)
      implements AdmissionDecision {
    public Preempt {
      victims = List.copyOf(victims);
    }
  }

  /** It stays pending until something changes. */
  record Pending(PendingWorkload workload, PendingReason reason) implements AdmissionDecision {}
}
