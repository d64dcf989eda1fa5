package dev.sluice.engine.admission;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiPredicate;

/**
 * Finds who is served first, of many lines, if that can be seen at a glance.
 *
 * <p>Goal: look closely at as few lines as possible. Method: who need not borrow comes before who
 * does, and a line's {@linkplain Outlook outlook} tells whether all in it would have to; among the
 * others, it tells whether somebody may come before the first of those looked at so far.
 */
final class Foremost {
  private final AdmissionRules rules;
  private final ClassicalOrder order;
  private final BiPredicate<WaitingLine, WaitingItem> clear;

  /**
   * @param clear whether nothing else is known of a workload that would have to be regarded
   */
  Foremost(AdmissionRules rules, BiPredicate<WaitingLine, WaitingItem> clear) {
    this.rules = rules;
    this.order = new ClassicalOrder(rules);
    this.clear = clear;
  }

  /**
   * The first of all who fit; empty if it takes a closer look to say.
   *
   * @param contenders who was called already
   */
  Optional<Contender.Glanced> of(List<Outlook> quiet, List<Contender> contenders) {
    if (quiet.isEmpty()) {
      return Optional.empty();
    }
    var glanced = new ArrayList<Contender.Glanced>();
    var nominated = new ArrayList<Nomination>();
    for (Contender contender : contenders) {
      switch (contender) {
        case Contender.Glanced one -> glanced.add(one);
        case Nomination one -> nominated.add(one);
      }
    }
    if (rules.preemption().fair()) {
      // somebody who does not fit may stand for a cohort, before one who does
      return nominated.isEmpty() ? byShare(quiet, glanced) : Optional.empty();
    }
    return byLevel(quiet, glanced);
  }

  /** Whether one comes before all of some. */
  boolean isBefore(Contender one, List<Contender> others) {
    for (Contender some : others) {
      if (order.compare(some, one) < 0) {
        return false;
      }
    }
    return true;
  }

  private Optional<Contender.Glanced> byShare(
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

  private Optional<Contender.Glanced> byLevel(
      List<Outlook> quiet, List<Contender.Glanced> glanced) {
    Optional<Contender.Glanced> first = Optional.empty();
    for (Contender.Glanced one : glanced) {
      first = earlier(first, one);
    }
    for (boolean borrow : new boolean[] {false, true}) {
      if (borrow && first.isPresent() && first.get().level() == 0) {
        break;
      }
      for (Outlook one : quiet) {
        if (one.mustBorrow() == borrow && mayComeBefore(one, first)) {
          Optional<Contender.Glanced> head = head(one);
          if (head.isEmpty()) {
            return Optional.empty();
          }
          first = earlier(first, head.get());
        }
      }
    }
    return first;
  }

  private boolean mayComeBefore(Outlook outlook, Optional<Contender.Glanced> first) {
    return first.isEmpty() || !rules.byPriority() || outlook.mayComeBefore(first.get());
  }

  private Optional<Contender.Glanced> earlier(
      Optional<Contender.Glanced> one, Contender.Glanced other) {
    return one.isPresent() && order.compare(one.get(), other) <= 0 ? one : Optional.of(other);
  }

  /** Who goes first in a line. */
  private Optional<Contender.Glanced> head(Outlook one) {
    return glance(one.line(), one.line().head().orElseThrow());
  }

  private Optional<Contender.Glanced> glance(WaitingLine line, WaitingItem item) {
    OptionalInt level = clear.test(line, item) ? line.glance(item) : OptionalInt.empty();
    return level.isPresent()
        ? Optional.of(new Contender.Glanced(line, item, level.getAsInt()))
        : Optional.empty();
  }
}
