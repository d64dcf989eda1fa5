package dev.sluice.engine.admission.cycle;

import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.queue.QueueSpec.Variants;
import dev.sluice.engine.queue.QuotaLedger;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.engine.queue.Sibling;
import java.util.List;
import java.util.Optional;

/**
 * The rules by which siblings, of which one is to run, share the quota of their queue.
 *
 * <p>Until one may run, all may hold quota and have their checks done in parallel. From then on
 * those with worse flavors get nothing. One with a better flavor goes on trying, as far as the
 * queue migrates its workloads: if it needs no checks, the one that runs is preempted before it
 * gets quota; if it does, that one runs until the checks are passed.
 */
public final class Siblings {
  private final QuotaLedger ledger;

  public Siblings(QuotaLedger ledger) {
    this.ledger = ledger;
  }

  /** Why a workload must not get quota because of its siblings, whatever there is. */
  public Optional<PendingReason> obstacle(QueueSpec queue, PendingWorkload workload) {
    if (workload.sibling().isEmpty() || queue.variants().isEmpty()) {
      return Optional.empty();
    }
    Sibling own = workload.sibling().get();
    Variants rules = queue.variants().get();
    for (QuotaReservation held : mayRun(rules, workload)) {
      if (held.sibling().orElseThrow().rank() < own.rank()) {
        return Optional.of(PendingReason.of(PendingReason.Kind.BETTER_SIBLING));
      }
      if (own.rank() >= rules.targets()) {
        return Optional.of(PendingReason.of(PendingReason.Kind.MIGRATION_NOT_ALLOWED));
      }
    }
    return Optional.empty();
  }

  /** The siblings that are preempted before a workload gets the quota that there is for it. */
  List<Target> victims(QueueSpec queue, PendingWorkload workload) {
    if (workload.sibling().isEmpty() || queue.variants().isEmpty()) {
      return List.of();
    }
    Variants rules = queue.variants().get();
    return rules.checked().contains(workload.sibling().get().flavor())
        ? List.of()
        : mayRun(rules, workload).stream()
            .map(held -> new Target(held, Target.Cause.FLAVOR_MIGRATION))
            .toList();
  }

  /** The siblings that run, or need nothing else to. */
  private List<QuotaReservation> mayRun(Variants rules, PendingWorkload workload) {
    return ledger.siblings(workload.sibling().orElseThrow()).stream()
        .filter(held -> !held.path().equals(workload.path()))
        .filter(held ->
            held.admitted() || !rules.checked().contains(held.sibling().orElseThrow().flavor()))
        .toList();
  }
}
