package dev.sluice.engine.admission;

import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.QuotaLedger;
import dev.sluice.engine.queue.QuotaReservation;
import java.util.List;

/** The preemptions that were decided, noted in the history by which preemption ends. */
final class IssuedPreemptions {
  private final QuotaLedger ledger;

  IssuedPreemptions(QuotaLedger ledger) {
    this.ledger = ledger;
  }

  /** Notes the victims of decisions. */
  void note(List<AdmissionDecision> decisions) {
    for (AdmissionDecision decision : decisions) {
      if (decision instanceof AdmissionDecision.Preempt preempt) {
        preempt.victims().forEach(target -> note(preempt.workload().path(), target));
      }
    }
  }

  private void note(String preemptor, Target target) {
    if (target.cause() == Target.Cause.FLAVOR_MIGRATION) {
      return; // the same job goes on in another flavor
    }
    QuotaReservation victim = target.victim();
    ledger
        .tree()
        .queue(victim.clusterQueue())
        .ifPresent(queue -> ledger.history().add(queue, victim.path(), preemptor));
  }

  /** Forgets the history where a workload released its quota for good, or is a victim no more. */
  void forget(QuotaReservation workload) {
    ledger.tree().queue(workload.clusterQueue()).ifPresent(ledger.history()::forget);
  }
}
