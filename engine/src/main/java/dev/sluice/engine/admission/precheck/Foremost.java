package dev.sluice.engine.admission.precheck;

import dev.sluice.engine.admission.cycle.AdmissionRules;
import dev.sluice.engine.admission.cycle.Contender;
import dev.sluice.engine.admission.cycle.FairOrder;
import dev.sluice.engine.admission.cycle.Nomination;
import dev.sluice.engine.admission.pending.Outlook;
import dev.sluice.engine.admission.pending.WaitingItem;
import dev.sluice.engine.admission.pending.WaitingLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiPredicate;

/** Finds who is served first, of many lines, if that can be seen at a glance. */
final class Foremost {
  private final AdmissionRules rules;
  private final BiPredicate<WaitingLine, WaitingItem> clear;

  /**
   * @param clear whether nothing else is known of a workload that would have to be regarded
   */
  Foremost(AdmissionRules rules, BiPredicate<WaitingLine, WaitingItem> clear) {
    this.rules = rules;
    this.clear = clear;
  }

  /**
   * The one with the lowest share of all who fit; empty if it takes a closer look to say.
   *
   * @param contenders who was called already
   */
  Optional<Contender.Glanced> byShare(List<Outlook> quiet, List<Contender> contenders) {
    var glanced = new ArrayList<Contender.Glanced>();
    for (Contender contender : contenders) {
      switch (contender) {
        case Contender.Glanced one -> glanced.add(one);
        case Nomination _ -> {
          // somebody who does not fit may stand for a cohort, before one who does
          return Optional.empty();
        }
      }
    }
    return lowestOf(quiet, glanced);
  }

  private Optional<Contender.Glanced> lowestOf(
      List<Outlook> quiet, List<Contender.Glanced> glanced) {
    boolean flat = quiet.getFirst().line().node().root().cohorts().isEmpty();
    if (flat && rules.ownQuotaFirst()) {
      List<Outlook> own = quiet.stream().filter(one -> !one.mustBorrow()).toList();
      Optional<Contender.Glanced> first = lowestShare(own, glanced);
      if (first.isPresent() && first.get().level() == 0) {
        return first;
      }
    }
    return lowestShare(quiet, glanced);
  }

  private Optional<Contender.Glanced> lowestShare(
      List<Outlook> quiet, List<Contender.Glanced> glanced) {
    var all = new ArrayList<Contender>(glanced);
    for (Outlook one : quiet) {
      Optional<Contender.Glanced> head = head(one);
      if (head.isEmpty()) {
        return Optional.empty();
      }
      all.add(head.get());
    }
    return all.isEmpty()
        ? Optional.empty()
        : new FairOrder(rules, all)
            .next()
            .filter(Contender.Glanced.class::isInstance)
            .map(Contender.Glanced.class::cast);
  }

  /** Who goes first in a line; empty if it takes a closer look to say. */
  Optional<Contender.Glanced> head(Outlook one) {
    return glance(one.line(), one.line().head().orElseThrow());
  }

  private Optional<Contender.Glanced> glance(WaitingLine line, WaitingItem item) {
    OptionalInt level = clear.test(line, item) ? line.glance(item) : OptionalInt.empty();
    return level.isPresent()
        ? Optional.of(new Contender.Glanced(line, item, level.getAsInt()))
        : Optional.empty();
  }
}
