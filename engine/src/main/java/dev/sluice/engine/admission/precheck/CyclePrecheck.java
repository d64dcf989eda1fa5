package dev.sluice.engine.admission.precheck;

import dev.sluice.engine.admission.cycle.AdmissionCycle;
import dev.sluice.engine.admission.cycle.AdmissionRules;
import dev.sluice.engine.admission.cycle.CycleEntry;
import dev.sluice.engine.admission.cycle.Nomination;
import dev.sluice.engine.admission.pending.AmountFrontier;
import dev.sluice.engine.admission.pending.PendingEntry;
import dev.sluice.engine.admission.pending.QueuePrecheck;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Foresees who is served in a round, as far as that is certain, where shares do not decide.
 *
 * <p>Goal: not to call the heads of many lines who would only be turned away, since there is room
 * for few of them. Method: whoever comes first is served and takes its part; then the next, and so
 * on, until somebody comes who may claim something. When the turn of a line comes, at the earliest,
 * is known from its {@linkplain QueuePrecheck outlook}; its head is looked for only then. A line
 * where nobody can go beside those who were served rests.
 *
 * <p>Heads are those with which the round begins: a line sends nobody else when its head is turned
 * away.
 */
final class CyclePrecheck {
  /** Where there is room for more, most of those who are called are served. */
  private static final int MOST = 16;

  private final LowestShareFirst foremost;
  private final PriorityQueue<Turn> turns;
  private final List<CycleEntry.Prechecked> served = new ArrayList<>();
  private final List<PendingEntry> tooLate = new ArrayList<>();
  private final List<QueuePrecheck> called = new ArrayList<>();
  private boolean ownersCome;

  /**
   * When the turn of somebody comes, at the earliest.
   *
   * @param line that of somebody who was not called yet; null if it was
   * @param known whose turn it is exactly; null if that must be looked for
   */
  private record Turn(
      boolean preemptor,
      int level,
      AmountFrontier.Step next,
      @Nullable QueuePrecheck line,
      @Nullable CycleEntry known) {

    /** That of somebody who was found. */
    static Turn of(CycleEntry known, boolean preemptor, @Nullable QueuePrecheck line) {
      return new Turn(preemptor, known.level(), AmountFrontier.Step.of(known.item()), line, known);
    }

    /** That of whoever is next in a line. */
    static Turn of(QueuePrecheck line) {
      return new Turn(false, line.mustBorrow() ? 1 : 0, line.next(), line, null);
    }
  }

  /**
   * @param active who was called already, and may take, claim or free something
   */
  CyclePrecheck(
      AdmissionRules rules,
      LowestShareFirst foremost,
      List<QueuePrecheck> quiet,
      List<CycleEntry> active) {
    this.foremost = foremost;
    this.turns = new PriorityQueue<>(quiet.size() + active.size() + 1, order(rules));
    for (CycleEntry one : active) {
      turns.add(Turn.of(one, rules.preemptorsFirst() && one.isPreemptor(), null));
    }
    boolean certain = true;
    for (QueuePrecheck one : quiet) {
      if (rules.byPriority()) {
        turns.add(Turn.of(one));
      } else {
        certain &= addHead(one); // who is first by age is not known
      }
    }
    while (certain && served.size() < MOST && !turns.isEmpty()) {
      if (ownersCome && turns.peek().level > 0) {
        deferTheRest();
      } else {
        certain = play(turns.remove());
      }
    }
    leaveOutHelpless();
    turns.forEach(turn -> call(turn.line));
    served.forEach(CycleEntry.Prechecked::giveBack);
  }

  /** Who would borrow waits for the next round, see {@link AdmissionCycle}. */
  private void deferTheRest() {
    for (Turn turn : turns) {
      if (turn.line != null) {
        turn.line.line().refresh();
      }
    }
    turns.clear();
  }

  private static Comparator<Turn> order(AdmissionRules rules) {
    return (one, other) -> {
      if (one.preemptor != other.preemptor) {
        return one.preemptor ? -1 : 1;
      }
      if (one.level != other.level) {
        return Integer.compare(one.level, other.level);
      }
      return rules.byPriority()
          ? one.next.compareTo(other.next)
          : one.next.item().workload().compareAge(other.next.item().workload());
    };
  }

  /** Those who are certainly served, in order. */
  List<CycleEntry.Prechecked> served() {
    return served;
  }

  /** Heads who come too late, although somebody else in their line may go in another round. */
  List<PendingEntry> tooLate() {
    return tooLate;
  }

  /** The lines, besides those of the served, whose heads should be called. */
  List<QueuePrecheck> called() {
    return called;
  }

  /** Returns whether it is certain who comes next. */
  private boolean play(Turn turn) {
    return switch (turn.known) {
      case null -> turn.line == null || look(turn.line);
      case CycleEntry.Prechecked head -> serve(head, turn.line);
      case Nomination _ -> false;
    };
  }

  private boolean look(QueuePrecheck line) {
    if (restsIfHelpless(line)) {
      leaveOutHelpless();
      return true;
    }
    served.forEach(CycleEntry.Prechecked::giveBack);
    boolean clear = addHead(line);
    served.forEach(CycleEntry.Prechecked::take);
    return clear;
  }

  /** Finds out whose turn it is in a line; returns whether that is clear. */
  private boolean addHead(QueuePrecheck line) {
    Optional<CycleEntry.Prechecked> head = foremost.head(line);
    head.ifPresentOrElse(one -> turns.add(Turn.of(one, false, line)), () -> called.add(line));
    return head.isPresent();
  }

  private boolean serve(CycleEntry.Prechecked head, @Nullable QueuePrecheck line) {
    if (head.line().glance(head.item()).isPresent()) {
      served.add(head);
      head.take();
      ownersCome |= head.isOwner();
    } else if (head.item().group().isBlocked()) {
      tooLate.add(head.item());
    } else {
      call(line); // others may have to give way
    }
    return true;
  }

  private void call(@Nullable QueuePrecheck line) {
    if (line != null) {
      called.add(line);
    }
  }

  /** Lets all lines rest where nobody can go beside those who were served. */
  private void leaveOutHelpless() {
    turns.removeIf(turn -> turn.line != null && restsIfHelpless(turn.line));
  }

  private static boolean restsIfHelpless(QueuePrecheck line) {
    boolean helpless = !line.helpsAny();
    if (helpless) {
      line.line().rest();
    }
    return helpless;
  }
}
