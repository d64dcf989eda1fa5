package dev.sluice.engine.admission.cycle;

import dev.sluice.engine.admission.pending.PendingEntry;
import dev.sluice.engine.admission.pending.PendingQueue;
import dev.sluice.engine.flavor.AssignmentMode;
import dev.sluice.engine.flavor.FlavorCursor;
import dev.sluice.engine.queue.QuotaLedger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Admission cycles for the queues of each root cohort, until no cycle can decide more.
 *
 * <p>Goal: all workloads that may be admitted now are admitted, or preempt others, as if cycle
 * followed cycle without end. A cycle has five steps:
 *
 * <ol>
 *   <li>Take the heads: one workload of each queue of the root cohort.
 *   <li>Nominate each: find its flavors and, if it does not fit, its victims.
 *   <li>Order the entries: by borrowing, priority and age, or by fair share.
 *   <li>Process each entry beside what those before it got: admit it, preempt its victims, reserve
 *       quota for the rest of the cycle, or skip it because it no longer fits.
 *   <li>Requeue: entries that got nothing become inadmissible, which brings the next head of their
 *       queue forward; skipped entries stay heads.
 * </ol>
 *
 * <p>The head of a strict queue, and a preemptor whose victims still hold quota, stay in front and
 * take part in every cycle, so that what they reserve is kept from others.
 *
 * <p>It ends: a cycle follows only while a queue has a head that was not tried since something
 * changed, and every cycle that is not the last admits, preempts, marks inadmissible, or brings a
 * search for flavors on. The number of cycles is bounded by the number of workloads and flavors.
 */
public final class AdmissionCycle {
  private final QuotaLedger ledger;
  private final AdmissionRules rules;
  private final Set<String> notReady;
  private final Instant now;
  private final CycleDecisions decisions = new CycleDecisions();
  private final HeadNominator heads;
  private final Requeuing requeuing;
  private long startVersion;

  /**
   * @param notReady admitted workloads whose pods are not ready; admissions are added
   */
  public AdmissionCycle(
      QuotaLedger ledger,
      AdmissionRules rules,
      Nominator nominator,
      Precheck precheck,
      Set<String> notReady,
      Instant now) {
    this.ledger = ledger;
    this.rules = rules;
    this.notReady = notReady;
    this.now = now;
    this.heads = new HeadNominator(ledger, nominator, precheck, decisions);
    this.requeuing = new Requeuing(ledger);
  }

  /**
   * Runs the cycles.
   *
   * @param rootCohorts the queues of each root cohort in which something changed
   * @param max after how many admissions and preemptions no further cycle starts
   */
  public List<AdmissionDecision> decide(List<List<PendingQueue>> rootCohorts, int max) {
    for (List<PendingQueue> queues : rootCohorts) {
      while (decisions.size() < max && queues.stream().anyMatch(PendingQueue::hasUntriedHead)) {
        if (!cycle(queues)) {
          queues.forEach(PendingQueue::headTried);
        }
      }
    }
    return decisions.all();
  }

  /** The workloads that are not pending any more. */
  public List<PendingEntry> admitted() {
    return decisions.admitted();
  }

  /** Runs one cycle; returns whether the next one may decide more. */
  private boolean cycle(List<PendingQueue> queues) {
    startVersion = ledger.version();

    // 1. Take the heads of the queues, and 2. nominate them.
    var entries = new ArrayList<CycleEntry>();
    boolean progress = heads.nominate(queues, entries);

    // 3. Order the entries.
    EntryOrder order = order(entries);

    // 4. Process each entry.
    progress |= process(order);

    // 5. Requeue the entries that got nothing.
    requeue(queues);
    return progress;
  }

  private EntryOrder order(List<CycleEntry> entries) {
    return rules.preemption().fair() && !entries.isEmpty()
        ? new FairOrder(rules, entries)
        : EntryOrder.sorted(entries, new ClassicalOrder(rules));
  }

  private boolean process(EntryOrder order) {
    var processor = new EntryProcessor(ledger, now);
    var reclaimers = new ReclaimersFirst();
    boolean progress = false;
    for (var next = order.next(); next.isPresent(); next = order.next()) {
      CycleEntry entry = next.get();
      if (reclaimers.defers(entry.borrowsAtOnce())) {
        entry.queue().retryHead();
        progress = true;
        continue;
      }
      int before = admitted().size();
      progress |= process(processor, entry);
      if (admitted().size() > before && !rules.preemption().fair()) {
        reclaimers.admitted(entry);
      }
    }
    processor.close();
    return progress;
  }

  private void requeue(List<PendingQueue> queues) {
    requeuing.markInadmissible();
    if (ledger.version() != startVersion) {
      // heads that stay in front may now reclaim their own quota
      queues.forEach(PendingQueue::retryHeadAfterOthers);
    }
  }

  /** Processes an entry; returns whether the next cycle may decide more because of it. */
  private boolean process(EntryProcessor processor, CycleEntry entry) {
    return switch (entry.turn(processor.reserves())) {
      case Nomination nomination -> process(processor, nomination);
      case Turn.NotNominated.STILL_INADMISSIBLE -> {
        decisions.unchanged(entry.entry());
        yield true;
      }
      case Turn.NotNominated.NO_LONGER_FITS -> {
        decisions.pending(entry.entry(), PendingReason.of(PendingReason.Kind.SKIPPED));
        yield requeuing.skipped(entry.queue(), entry.entry(), FlavorCursor.NONE);
      }
    };
  }

  private boolean process(EntryProcessor processor, Nomination nomination) {
    if (waitsForPodsReady(nomination)) {
      decisions.pending(nomination.entry(), PendingReason.of(PendingReason.Kind.PODS_NOT_READY));
      nomination.queue().headTried();
      return false;
    }
    return switch (processor.process(nomination)) {
      case EntryProcessor.Outcome.Admitted(AdmissionDecision.Admit admit) ->
          admitted(nomination, admit);
      case EntryProcessor.Outcome.Preempting(AdmissionDecision.Preempt preempt) ->
          preempting(nomination, preempt);
      case EntryProcessor.Outcome.Inadmissible(PendingReason reason) -> {
        decisions.pending(nomination.entry(), reason);
        yield requeuing.inadmissible(nomination);
      }
      case EntryProcessor.Outcome.Skipped(PendingReason reason) -> skipped(nomination, reason);
    };
  }

  private boolean waitsForPodsReady(Nomination nomination) {
    return rules.blockUntilPodsReady()
        && nomination.mode() == AssignmentMode.FIT
        && !notReady.isEmpty();
  }

  private boolean admitted(Nomination nomination, AdmissionDecision.Admit admit) {
    decisions.admit(nomination.entry(), admit);
    if (nomination.queue().spec().sharesByUsage()) {
      rules.charge().accept(admit);
    }
    if (rules.blockUntilPodsReady()) {
      notReady.add(admit.workload().path());
    }
    return true;
  }

  /** The preemptor stays the head of its queue until its victims are gone. */
  private boolean preempting(Nomination nomination, AdmissionDecision.Preempt preempt) {
    PendingQueue queue = nomination.queue();
    nomination.entry().resumeFrom(FlavorCursor.NONE, queue.epoch());
    queue.setPreemptor(nomination.entry());
    queue.headTried();
    return decisions.preempt(nomination.entry(), preempt);
  }

  private boolean skipped(Nomination nomination, PendingReason reason) {
    decisions.pending(nomination.entry(), reason);
    if (reason.kind() == PendingReason.Kind.OVERLAPPING_VICTIMS
        && !nomination.assignment().tried().unfinished()) {
      return false; // a nomination finds the same until the victims are gone
    }
    boolean more =
        requeuing.skipped(
            nomination.queue(), nomination.entry(), Requeuing.nextFlavors(nomination));
    // victims that were found in an earlier cycle are searched again
    return more || nomination.version() < startVersion;
  }
}
