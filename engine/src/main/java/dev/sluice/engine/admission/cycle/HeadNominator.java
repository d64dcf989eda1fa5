package dev.sluice.engine.admission.cycle;

import dev.sluice.engine.admission.pending.PendingEntry;
import dev.sluice.engine.admission.pending.PendingQueue;
import dev.sluice.engine.queue.QuotaLedger;
import java.util.List;
import java.util.Optional;

/**
 * The first two steps of an admission cycle: one head of each queue is taken and nominated.
 *
 * <p>A head that is excluded ends the turn of its queue in this cycle. A workload that was tried
 * before and still cannot fit, not even by preemption, does not: it is marked inadmissible again,
 * and the next head of its queue takes its place.
 */
final class HeadNominator {
  private final QuotaLedger ledger;
  private final Nominator nominator;
  private final Precheck precheck;
  private final Siblings siblings;
  private final CycleDecisions decisions;

  HeadNominator(
      QuotaLedger ledger, Nominator nominator, Precheck precheck, CycleDecisions decisions) {
    this.ledger = ledger;
    this.nominator = nominator;
    this.precheck = precheck;
    this.siblings = new Siblings(ledger);
    this.decisions = decisions;
  }

  /** Adds the heads to the entries; returns whether a workload became inadmissible. */
  boolean nominate(List<PendingQueue> queues, List<CycleEntry> entries) {
    boolean progress = false;
    for (PendingQueue queue : precheck.select(queues)) {
      progress |= nominateHead(queue, entries);
    }
    for (PendingQueue queue : precheck.selectBeside(entries, decisions)) {
      progress |= nominateHead(queue, entries);
    }
    return progress;
  }

  private boolean nominateHead(PendingQueue queue, List<CycleEntry> entries) {
    boolean progress = false;
    for (var head = queue.head(); head.isPresent(); head = queue.head()) {
      PendingEntry entry = head.get();
      if (exclude(queue, entry)) {
        return true;
      }
      Optional<CycleEntry> nominated = nominate(queue, entry);
      if (nominated.isPresent()) {
        entries.add(nominated.get());
        return progress;
      }
      decisions.unchanged(entry);
      progress = true;
    }
    queue.headTried();
    return progress;
  }

  /** Marks a head inadmissible that must not get quota, however much there is. */
  private boolean exclude(PendingQueue queue, PendingEntry entry) {
    Optional<PendingReason> exclusion = PendingReason.exclusion(queue, entry);
    if (exclusion.isPresent()) {
      decisions.pending(entry, exclusion.get());
      queue.exclude(entry);
      return true;
    }
    Optional<PendingReason> sibling = siblings.obstacle(queue.spec(), entry.workload());
    if (sibling.isPresent()) {
      decisions.pending(entry, sibling.get());
      queue.markInadmissible(entry);
      return true;
    }
    return false;
  }

  /** Empty if it was marked inadmissible again. */
  private Optional<CycleEntry> nominate(PendingQueue queue, PendingEntry entry) {
    return switch (precheck.check(queue, entry)) {
      case Precheck.Answer.Known(CycleEntry known) -> Optional.of(known);
      case Precheck.Answer.Unknown.TRY_IT -> tryIt(queue, entry);
      case Precheck.Answer.Unknown.STILL_INADMISSIBLE -> Optional.empty();
    };
  }

  private Optional<CycleEntry> tryIt(PendingQueue queue, PendingEntry entry) {
    Optional<Nomination> kept = keptVictims(queue, entry);
    if (kept.isPresent()) {
      return queue.markInadmissibleAgain(entry) ? Optional.empty() : Optional.of(kept.get());
    }
    Nomination nomination = nominator.nominate(queue, entry);
    if (!nomination.canProceed() && queue.markInadmissibleAgain(entry)) {
      return Optional.empty();
    }
    precheck.nominated(nomination);
    return Optional.of(nomination.takePart());
  }

  /** A preemptor keeps the victims that were found for it as long as all of them hold quota. */
  private Optional<Nomination> keptVictims(PendingQueue queue, PendingEntry entry) {
    return Nomination.last(queue, entry).filter(last -> last.victimsHold(ledger));
  }
}
