package dev.sluice.engine.admission.precheck;

import dev.sluice.engine.admission.cycle.AdmissionRules;
import dev.sluice.engine.admission.cycle.CycleEntry;
import dev.sluice.engine.admission.cycle.FairOrder;
import dev.sluice.engine.admission.cycle.Nomination;
import dev.sluice.engine.admission.pending.PendingEntry;
import dev.sluice.engine.admission.pending.PendingQueue;
import dev.sluice.engine.admission.pending.QueuePrecheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiPredicate;

/** Finds who is served first, of many lines, if that can be seen at a glance. */
final class LowestShareFirst {
  private final AdmissionRules rules;
  private final BiPredicate<PendingQueue, PendingEntry> clear;

  /**
   * @param clear whether nothing else is known of a workload that would have to be regarded
   */
  LowestShareFirst(AdmissionRules rules, BiPredicate<PendingQueue, PendingEntry> clear) {
    this.rules = rules;
    this.clear = clear;
  }

  /**
   * The one with the lowest share of all who fit; empty if it takes a closer look to say.
   *
   * @param contenders who was called already
   */
  Optional<CycleEntry.Prechecked> byShare(List<QueuePrecheck> quiet, List<CycleEntry> contenders) {
    var glanced = new ArrayList<CycleEntry.Prechecked>();
    for (CycleEntry contender : contenders) {
      switch (contender) {
        case CycleEntry.Prechecked one -> glanced.add(one);
        case Nomination _ -> {
          // somebody who does not fit may stand for a cohort, before one who does
          return Optional.empty();
        }
      }
    }
    return lowestOf(quiet, glanced);
  }

  private Optional<CycleEntry.Prechecked> lowestOf(
      List<QueuePrecheck> quiet, List<CycleEntry.Prechecked> glanced) {
    boolean flat = quiet.getFirst().line().node().root().cohorts().isEmpty();
    if (flat && rules.ownQuotaFirst()) {
      List<QueuePrecheck> own = quiet.stream().filter(one -> !one.mustBorrow()).toList();
      Optional<CycleEntry.Prechecked> first = lowestShare(own, glanced);
      if (first.isPresent() && first.get().level() == 0) {
        return first;
      }
    }
    return lowestShare(quiet, glanced);
  }

  private Optional<CycleEntry.Prechecked> lowestShare(
      List<QueuePrecheck> quiet, List<CycleEntry.Prechecked> glanced) {
    var all = new ArrayList<CycleEntry>(glanced);
    for (QueuePrecheck one : quiet) {
      Optional<CycleEntry.Prechecked> head = head(one);
      if (head.isEmpty()) {
        return Optional.empty();
      }
      all.add(head.get());
    }
    return all.isEmpty()
        ? Optional.empty()
        : new FairOrder(rules, all)
            .next()
            .filter(CycleEntry.Prechecked.class::isInstance)
            .map(CycleEntry.Prechecked.class::cast);
  }

  /** Who goes first in a line; empty if it takes a closer look to say. */
  Optional<CycleEntry.Prechecked> head(QueuePrecheck one) {
    return glance(one.line(), one.line().head().orElseThrow());
  }

  private Optional<CycleEntry.Prechecked> glance(PendingQueue line, PendingEntry item) {
    OptionalInt level = clear.test(line, item) ? line.glance(item) : OptionalInt.empty();
    return level.isPresent()
        ? Optional.of(new CycleEntry.Prechecked(line, item, level.getAsInt()))
        : Optional.empty();
  }
}
