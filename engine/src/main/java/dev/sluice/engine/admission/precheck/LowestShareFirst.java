package dev.sluice.engine.admission.precheck;

import dev.sluice.engine.admission.cycle.AdmissionRules;
import dev.sluice.engine.admission.cycle.CycleEntry;
import dev.sluice.engine.admission.cycle.FairOrder;
import dev.sluice.engine.admission.pending.PendingEntry;
import dev.sluice.engine.admission.pending.PendingQueue;
import dev.sluice.engine.admission.pending.QueuePrecheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** The search for the entry that is processed first, of many queues, where shares decide. */
final class LowestShareFirst {
  private final AdmissionRules rules;
  private final BiFunction<PendingQueue, PendingEntry, Optional<PrecheckedEntry>> fitting;

  /**
   * @param fitting the entry of a head that certainly fits; empty if only a check can say
   */
  LowestShareFirst(
      AdmissionRules rules,
      BiFunction<PendingQueue, PendingEntry, Optional<PrecheckedEntry>> fitting) {
    this.rules = rules;
    this.fitting = fitting;
  }

  /**
   * The entry with the lowest share of all that fit; empty if that takes nominations to say.
   *
   * @param deferred queues of which a workload fits
   * @param entries those of other queues
   */
  Optional<PrecheckedEntry> first(List<QueuePrecheck> deferred, List<CycleEntry> entries) {
    for (CycleEntry entry : entries) {
      if (!(entry instanceof PrecheckedEntry)) {
        // an entry that does not fit may be sent by its cohort, before one that does
        return Optional.empty();
      }
    }
    boolean flat = deferred.getFirst().queue().node().root().cohorts().isEmpty();
    if (flat && rules.ownQuotaFirst()) {
      List<QueuePrecheck> own =
          deferred.stream().filter(precheck -> !precheck.mustBorrow()).toList();
      Optional<PrecheckedEntry> first = lowestShare(own, entries);
      if (first.isPresent() && first.get().level() == 0) {
        return first;
      }
    }
    return lowestShare(deferred, entries);
  }

  private Optional<PrecheckedEntry> lowestShare(
      List<QueuePrecheck> deferred, List<CycleEntry> entries) {
    var all = new ArrayList<>(entries);
    for (QueuePrecheck precheck : deferred) {
      Optional<PrecheckedEntry> head = head(precheck);
      if (head.isEmpty()) {
        return Optional.empty();
      }
      all.add(head.get());
    }
    return all.isEmpty()
        ? Optional.empty()
        : new FairOrder(rules, all).next().map(PrecheckedEntry.class::cast);
  }

  /** The entry of a queue's head; empty if only a check can say whether it fits. */
  Optional<PrecheckedEntry> head(QueuePrecheck precheck) {
    PendingQueue queue = precheck.queue();
    return fitting.apply(queue, queue.head().orElseThrow());
  }
}
