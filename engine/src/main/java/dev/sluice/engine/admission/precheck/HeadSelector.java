package dev.sluice.engine.admission.precheck;

import dev.sluice.engine.admission.cycle.AdmissionRules;
import dev.sluice.engine.admission.cycle.CycleDecisions;
import dev.sluice.engine.admission.cycle.CycleEntry;
import dev.sluice.engine.admission.cycle.Nomination;
import dev.sluice.engine.admission.cycle.PendingReason;
import dev.sluice.engine.admission.pending.PendingEntry;
import dev.sluice.engine.admission.pending.PendingQueue;
import dev.sluice.engine.admission.pending.QueuePrecheck;
import dev.sluice.engine.flavor.AssignmentMode;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.QuotaLedger;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.engine.quota.QuotaNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * The choice of the queues, of those that share quota, whose heads take part in a cycle.
 *
 * <p>Goal: when quota comes back for one workload, not to nominate a head of every queue and skip
 * all but one of them. Method: of most queues the {@linkplain PendingQueue#precheck precheck} says,
 * at little cost, that no workload fits, or that one does without preemption. Queues of the second
 * kind are <em>deferred</em>. Of them the first to be processed is sought. Where no workload fits
 * any more beside that one, the head would only be skipped, so it is not nominated. If it is not
 * clear which comes first, the heads of all deferred queues are nominated.
 */
final class HeadSelector {
  private final QuotaLedger ledger;
  private final AdmissionRules rules;
  private final LowestShareFirst lowestShare;
  private List<QueuePrecheck> deferred = List.of();

  /**
   * @param fitting the entry of a head that certainly fits; empty if only a check can say
   */
  HeadSelector(
      QuotaLedger ledger,
      AdmissionRules rules,
      BiFunction<PendingQueue, PendingEntry, Optional<PrecheckedEntry>> fitting) {
    this.ledger = ledger;
    this.rules = rules;
    this.lowestShare = new LowestShareFirst(rules, fitting);
  }

  /** The queues whose heads must be nominated, without those that are deferred or blocked. */
  List<PendingQueue> select(List<PendingQueue> queues) {
    deferred = new ArrayList<>(queues.size());
    var selected = new ArrayList<PendingQueue>();
    for (PendingQueue queue : queues) {
      if (queue.mayHaveHead() && !isLeftOut(queue)) {
        selected.add(queue);
      }
    }
    return selected;
  }

  /** Whether a queue is deferred, or blocked until quota comes back. */
  private boolean isLeftOut(PendingQueue queue) {
    QueuePrecheck precheck = queue.precheck();
    if (precheck == null) {
      return false;
    }
    return switch (precheck.result()) {
      case BLOCKED -> {
        queue.stopReconsidering();
        yield true;
      }
      case FITS -> deferred.add(precheck);
      case UNKNOWN -> false;
    };
  }

  /** The deferred queues whose heads must be nominated beside the entries known by now. */
  List<PendingQueue> selectBeside(List<CycleEntry> entries, CycleDecisions decisions) {
    if (deferred.isEmpty()) {
      return List.of();
    }
    List<QueuePrecheck> selected =
        rules.preemption().fair() ? selectByShare(entries) : selectInOrder(entries, decisions);
    deferred = List.of();
    return selected.stream().map(QueuePrecheck::queue).toList();
  }

  private List<QueuePrecheck> selectByShare(List<CycleEntry> entries) {
    return lowestShare
        .first(deferred, entries)
        .map(first -> selectBehind(first, entries))
        .orElse(deferred);
  }

  private List<QueuePrecheck> selectInOrder(List<CycleEntry> entries, CycleDecisions decisions) {
    List<CycleEntry> active = active(entries);
    var cycle = new CyclePrecheck(rules, lowestShare, deferred, active);
    cycle.admitted().forEach(entry -> addTo(entries, entry));
    cycle.tooLate().forEach(decisions::unchanged);
    return cycle.admitted().isEmpty()
            && active.size() == 1
            && active.getFirst() instanceof Nomination preemptor
        ? selectBehind(preemptor, decisions)
        : cycle.selected();
  }

  private static void addTo(List<CycleEntry> entries, PrecheckedEntry entry) {
    if (!entries.contains(entry)) {
      entries.add(entry);
    }
  }

  /** The entries that may take, reserve or free something. */
  private static List<CycleEntry> active(List<CycleEntry> entries) {
    var active = new ArrayList<CycleEntry>();
    for (CycleEntry entry : entries) {
      if (!(entry instanceof Nomination nomination && nomination.mode() == AssignmentMode.NO_FIT)) {
        active.add(entry);
      }
    }
    return active;
  }

  /** Adds the entry with the lowest share. A queue where no workload fits beside it is left out. */
  private List<QueuePrecheck> selectBehind(PrecheckedEntry first, List<CycleEntry> entries) {
    first.addUsage();
    var others = new ArrayList<>(deferred);
    others.removeIf(other -> other.queue() == first.queue());
    boolean deep = !first.node().root().cohorts().isEmpty();
    if (deep && others.stream().anyMatch(QueuePrecheck::mayFit)) {
      first.removeUsage();
      return deferred; // a skipped head may be sent by its cohort, before one that is not skipped
    }
    List<QueuePrecheck> left =
        QueuePrecheck.withoutBlocked(others, PendingQueue::stopReconsidering);
    first.removeUsage();
    addTo(entries, first);
    return left;
  }

  /**
   * A preemptor comes before all entries that fit, and keeps what it reserves from them. Where no
   * workload fits beside it, not even once its victims are gone, the head is not nominated.
   */
  private List<QueuePrecheck> selectBehind(Nomination preemptor, CycleDecisions decisions) {
    var gone = new ArrayList<QuotaReservation>();
    for (Target target : preemptor.targets()) {
      ledger.reservation(target.victim().path()).ifPresent(gone::add);
    }
    List<QueuePrecheck> selected = deferred;
    var skipped = new ArrayList<PendingQueue>();
    gone.forEach(held -> nodeOf(held).remove(held.usage()));
    boolean preempts = gone.size() == preemptor.targets().size() && !gone.isEmpty();
    if (preempts && preemptor.node().fits(preemptor.usage())) {
      preemptor.node().add(preemptor.usage());
      selected = QueuePrecheck.withoutBlocked(deferred, skipped::add);
      preemptor.node().remove(preemptor.usage());
    }
    gone.forEach(held -> nodeOf(held).add(held.usage()));
    skipped.forEach(queue -> skipHead(queue, decisions));
    return selected;
  }

  private static void skipHead(PendingQueue queue, CycleDecisions decisions) {
    PendingEntry head = queue.head().orElseThrow();
    decisions.pending(head, PendingReason.of(PendingReason.Kind.SKIPPED));
    queue.headTried();
  }

  private QuotaNode nodeOf(QuotaReservation held) {
    return ledger.tree().queue(held.clusterQueue()).orElseThrow();
  }
}
