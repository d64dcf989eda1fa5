package dev.sluice.engine.admission;

import dev.sluice.engine.flavor.Mode;
import dev.sluice.engine.queue.Ledger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Calls the heads of lines that share quota into a round.
 *
 * <p>Goal: when quota comes back for one workload, not to bring one forward from every line and
 * turn all but one of them away. Method: most lines are <em>quiet</em>: more quota alone can bring
 * somebody forward, and their {@linkplain WaitingLine#outlook outlook} tells, at little cost, whom
 * it may help. Of those lines the first to be served is sought. If nothing is left for anybody once
 * that one is served, the others would only be turned away, so they are not called. In every other
 * case all are.
 */
final class Heads {
  private final Ledger ledger;
  private final Nominator nominator;
  private final Map<String, Decision> waiting;
  private final boolean glances;
  private final AdmissionRules rules;
  private final ClassicalOrder order;

  /**
   * @param waiting what the workloads are told, by path
   * @param glances whether to leave out what can be seen at a glance
   */
  Heads(
      Ledger ledger,
      AdmissionRules rules,
      Nominator nominator,
      Map<String, Decision> waiting,
      boolean glances) {
    this.ledger = ledger;
    this.nominator = nominator;
    this.waiting = waiting;
    this.glances = glances;
    this.rules = rules;
    this.order = new ClassicalOrder(rules);
  }

  /** Lets the heads take part; returns whether somebody was put aside. */
  boolean call(List<WaitingLine> lines, List<Contender> contenders) {
    var quiet = new ArrayList<Quiet>();
    boolean progress = false;
    for (WaitingLine line : lines) {
      if (!line.isOpen() || !line.mayHaveHead()) {
        continue;
      }
      Outlook outlook = glances ? line.outlook() : null;
      if (outlook == null) {
        progress |= call(line, contenders);
      } else if (line.isFresh() && outlook.helpsAny()) {
        quiet.add(new Quiet(line, outlook));
      } else {
        line.settle();
      }
    }
    Optional<Contender.Glanced> first = first(quiet, contenders);
    if (first.isPresent() && takesTheLast(first.get(), quiet, contenders)) {
      if (!contenders.contains(first.get())) {
        contenders.add(first.get());
      }
      quiet.forEach(one -> one.line().settle());
      return progress;
    }
    for (Quiet one : quiet) {
      progress |= call(one.line(), contenders);
    }
    return progress;
  }

  private record Quiet(WaitingLine line, Outlook outlook) {}

  /** Who is served first, if that can be seen at a glance. */
  private Optional<Contender.Glanced> first(List<Quiet> quiet, List<Contender> contenders) {
    var glanced = new ArrayList<Contender.Glanced>();
    var nominated = new ArrayList<Nomination>();
    for (Contender contender : contenders) {
      switch (contender) {
        case Contender.Glanced one -> glanced.add(one);
        case Nomination one -> nominated.add(one);
      }
    }
    if (quiet.isEmpty()) {
      return Optional.empty();
    }
    if (rules.preemption().fair()) {
      // somebody who does not fit may stand for a cohort, before one who does
      return nominated.isEmpty() ? firstByShare(quiet, glanced) : Optional.empty();
    }
    return firstByLevel(quiet, glanced).filter(first -> isBefore(first, nominated));
  }

  /** Whether one comes before all who might take, claim or free something. */
  private boolean isBefore(Contender.Glanced first, List<Nomination> nominated) {
    for (Nomination one : nominated) {
      if (one.mode() != Mode.NO_FIT && order.compare(one, first) < 0) {
        return false;
      }
    }
    return true;
  }

  /** Shares take long to compare, which pays only if whoever is served is the last. */
  private Optional<Contender.Glanced> firstByShare(
      List<Quiet> quiet, List<Contender.Glanced> glanced) {
    var all = new ArrayList<Contender>(glanced);
    for (Quiet one : quiet) {
      Optional<Contender.Glanced> head = glance(one.line());
      if (head.isEmpty() || (all.isEmpty() && !takesTheLast(head.get(), quiet, glanced))) {
        return Optional.empty();
      }
      all.add(head.get());
    }
    return new FairOrder(rules, all)
        .next()
        .filter(Contender.Glanced.class::isInstance)
        .map(Contender.Glanced.class::cast);
  }

  private Optional<Contender.Glanced> firstByLevel(
      List<Quiet> quiet, List<Contender.Glanced> glanced) {
    Optional<Contender.Glanced> first = Optional.empty();
    for (Contender.Glanced one : glanced) {
      first = earlier(first, one);
    }
    for (Quiet one : quiet) {
      if (first.isEmpty() || !rules.byPriority() || one.outlook().mayComeBefore(first.get())) {
        Optional<Contender.Glanced> head = glance(one.line());
        if (head.isEmpty()) {
          return Optional.empty();
        }
        first = earlier(first, head.get());
      }
    }
    return first;
  }

  private Optional<Contender.Glanced> earlier(
      Optional<Contender.Glanced> one, Contender.Glanced other) {
    return one.isPresent() && order.compare(one.get(), other) <= 0 ? one : Optional.of(other);
  }

  private Optional<Contender.Glanced> glance(WaitingLine line) {
    WaitingItem item = line.head().orElseThrow();
    if (hopeless(line, item).isPresent() || known(line, item).isPresent()) {
      return Optional.empty();
    }
    OptionalInt level = line.glance(item);
    return level.isPresent()
        ? Optional.of(new Contender.Glanced(line, item, level.getAsInt()))
        : Optional.empty();
  }

  /** Whether nobody else fits once one is served. */
  private static boolean takesTheLast(
      Contender.Glanced first, List<Quiet> quiet, List<? extends Contender> contenders) {
    List<Headroom.Demand> demands = first.item().group().demands();
    demands.forEach(Headroom.Demand::take);
    boolean last = !helpsOther(first, quiet) && !fitsOther(first, contenders);
    demands.forEach(Headroom.Demand::giveBack);
    return last;
  }

  private static boolean helpsOther(Contender.Glanced first, List<Quiet> quiet) {
    for (Quiet one : quiet) {
      if (one.line() != first.line() && one.outlook().helpsAny()) {
        return true;
      }
    }
    return false;
  }

  private static boolean fitsOther(Contender.Glanced first, List<? extends Contender> contenders) {
    for (Contender one : contenders) {
      if (one.line() != first.line() && one.line().glance(one.item()).isPresent()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Lets the first of a line who may be able to go take part; returns whether somebody was put
   * aside.
   */
  private boolean call(WaitingLine line, List<Contender> contenders) {
    boolean progress = false;
    for (var head = line.head(); head.isPresent(); head = line.head()) {
      WaitingItem item = head.get();
      Optional<Waiting> hopeless = hopeless(line, item);
      if (hopeless.isPresent()) {
        waiting.put(item.path(), new Decision.Wait(item.workload(), hopeless.get()));
        line.parkApart(item);
        return true;
      }
      Optional<Contender> contender = contender(line, item);
      if (contender.isPresent()) {
        contenders.add(contender.get());
        return progress;
      }
      waiting.remove(item.path()); // what it was told before still holds
      progress = true;
    }
    line.settle();
    return progress;
  }

  /** Why it cannot go, however much quota there is. */
  private static Optional<Waiting> hopeless(WaitingLine line, WaitingItem item) {
    if (!line.serves(item)) {
      return Optional.of(Waiting.of(Waiting.Kind.NAMESPACE_MISMATCH));
    }
    return item.workload().problems().isEmpty()
        ? Optional.empty()
        : Optional.of(Waiting.misconfigured(item.workload().problems()));
  }

  /** Empty if it was put aside again. */
  private Optional<Contender> contender(WaitingLine line, WaitingItem item) {
    Optional<Nomination> known = known(line, item);
    if (known.isEmpty() && glances) {
      OptionalInt level = line.glance(item);
      if (level.isPresent()) {
        return Optional.of(new Contender.Glanced(line, item, level.getAsInt()));
      }
    }
    return line.parkAgain(item)
        ? Optional.empty()
        : Optional.of(known.orElseGet(() -> nominator.nominate(line, item)));
  }

  /** What was found before, if it still stands. */
  private Optional<Nomination> known(WaitingLine line, WaitingItem item) {
    return item.nomination(line.epoch()).filter(this::holds);
  }

  /**
   * Whether what was found still stands: nothing has changed since, or all who should give way
   * still hold what they should give.
   */
  private boolean holds(Nomination nomination) {
    if (nomination.version() == ledger.version()) {
      return true;
    }
    return !nomination.targets().isEmpty()
        && nomination.targets().stream()
            .allMatch(target -> ledger.reservation(target.victim().path()).isPresent());
  }
}
