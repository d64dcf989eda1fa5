package dev.sluice.engine.admission.precheck;

import dev.sluice.engine.admission.cycle.AdmissionRules;
import dev.sluice.engine.admission.cycle.CycleDecisions;
import dev.sluice.engine.admission.cycle.CycleEntry;
import dev.sluice.engine.admission.cycle.Nomination;
import dev.sluice.engine.admission.cycle.Nominator;
import dev.sluice.engine.admission.cycle.PendingReason;
import dev.sluice.engine.admission.cycle.Precheck;
import dev.sluice.engine.admission.pending.PendingEntry;
import dev.sluice.engine.admission.pending.PendingQueue;
import dev.sluice.engine.preemption.PreemptionSearch;
import dev.sluice.engine.queue.QuotaLedger;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The precheck by indexes and remembered answers. A head needs no nomination if the last one still
 * holds, if it fits without a choice of flavors, if what blocks it is still there, or if an
 * equivalent workload was tried just before.
 */
public final class IndexedPrecheck implements Precheck {
  private final QuotaLedger ledger;
  private final boolean prechecksFit;
  private final RememberedNominations nominations;
  private final HeadSelector selector;

  /**
   * @param preemption the one of the nominator
   */
  public IndexedPrecheck(
      QuotaLedger ledger, AdmissionRules rules, Nominator nominator, PreemptionSearch preemption) {
    this.ledger = ledger;
    this.prechecksFit = !rules.blockUntilPodsReady(); // else a head that fits may have to wait
    this.nominations = new RememberedNominations(nominator, preemption);
    this.selector = new HeadSelector(ledger, rules, this::fitting);
  }

  @Override
  public List<PendingQueue> select(List<PendingQueue> queues) {
    return prechecksFit
        ? selector.select(queues)
        : queues.stream().filter(PendingQueue::mayHaveHead).toList();
  }

  @Override
  public List<PendingQueue> selectBeside(List<CycleEntry> entries, CycleDecisions decisions) {
    return selector.selectBeside(entries, decisions);
  }

  @Override
  public Answer check(PendingQueue queue, PendingEntry head) {
    Optional<Nomination> last = lastThatHolds(queue, head);
    if (last.isEmpty() && prechecksFit) {
      OptionalInt level = queue.fitLevel(head);
      if (level.isPresent()) {
        return new Answer.Known(new PrecheckedEntry(queue, head, level.getAsInt(), nominations));
      }
    }
    if (queue.recheckInadmissible(head)) {
      return Answer.Unknown.STILL_INADMISSIBLE;
    }
    if (last.isPresent()) {
      return new Answer.Known(last.get());
    }
    Optional<Nomination> remembered = nominations.find(queue, head);
    remembered.ifPresent(Nomination::takePart);
    return remembered.<Answer>map(Answer.Known::new).orElse(Answer.Unknown.TRY_IT);
  }

  /** What was found for an entry before, if a search would find it again or its victims hold. */
  private Optional<Nomination> lastThatHolds(PendingQueue queue, PendingEntry entry) {
    return Nomination.last(queue, entry)
        .filter(last -> last.version() == ledger.version() || last.victimsHold(ledger));
  }

  /** The entry of a head that certainly fits; empty if only a check can say. */
  private Optional<PrecheckedEntry> fitting(PendingQueue queue, PendingEntry head) {
    if (PendingReason.exclusion(queue, head).isPresent()
        || lastThatHolds(queue, head).isPresent()) {
      return Optional.empty();
    }
    OptionalInt level = queue.fitLevel(head);
    return level.isPresent()
        ? Optional.of(new PrecheckedEntry(queue, head, level.getAsInt(), nominations))
        : Optional.empty();
  }

  @Override
  public void nominated(Nomination nomination) {
    nominations.remember(nomination);
  }

  @Override
  public void requeue(PendingQueue queue) {
    queue.reconsiderInadmissible();
  }
}
