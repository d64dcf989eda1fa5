package dev.sluice.engine.admission;

import dev.sluice.engine.flavor.Mode;
import dev.sluice.engine.flavor.ScanProgress;
import dev.sluice.engine.queue.Ledger;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/**
 * Decides until nothing more can be decided.
 *
 * <p>Goal: admit all that is right to admit at once, as if heads were served one round after the
 * other. Method: in each round the heads of all lines that share quota are nominated, ordered and
 * served; who cannot go is put aside, which brings the next head forward. Rounds go on while some
 * line has a head that was not looked at since something changed. A round that changes nothing ends
 * it, so the number of rounds is bounded by the number of workloads.
 *
 * <p>A strict line's head, and one for whom others give way, stay in front and take part in every
 * round, so that what they claim is kept from others.
 */
final class AdmissionRun {
  private final Ledger ledger;
  private final AdmissionRules rules;
  private final List<List<WaitingLine>> families;
  private final BiPredicate<QueueSpec, PendingWorkload> serves;
  private final Set<String> notReady;
  private final Instant now;
  private final Nominator nominator;
  private final Map<String, Decision> waiting = new TreeMap<>();
  private final Set<String> preempting = new LinkedHashSet<>();
  private final List<Decision> decisions = new ArrayList<>();

  AdmissionRun(
      Ledger ledger,
      AdmissionRules rules,
      List<List<WaitingLine>> families,
      BiPredicate<QueueSpec, PendingWorkload> serves,
      Set<String> notReady,
      Instant now) {
    this.ledger = ledger;
    this.rules = rules;
    this.families = families;
    this.serves = serves;
    this.notReady = notReady;
    this.now = now;
    this.nominator = new Nominator(ledger, rules);
  }

  List<Decision> decide(int most) {
    for (List<WaitingLine> lines : families) {
      while (decisions.size() < most && lines.stream().anyMatch(this::isFresh)) {
        if (!round(lines)) {
          lines.forEach(WaitingLine::settle);
        }
      }
    }
    decisions.addAll(waiting.values());
    return decisions;
  }

  private boolean isFresh(WaitingLine line) {
    return line.isFresh() && ledger.admits(line.queue().name());
  }

  /** Serves the heads of a family of queues; returns whether anything came of it. */
  private boolean round(List<WaitingLine> lines) {
    long before = ledger.version();
    var nominations = new ArrayList<Nomination>();
    boolean progress = false;
    for (WaitingLine line : lines) {
      if (line.hasHead() && ledger.admits(line.queue().name())) {
        progress |= nominate(line, nominations);
      }
    }
    var round = new Round(ledger, now);
    if (rules.preemption().fair()) {
      var order = new FairOrder(rules);
      while (!nominations.isEmpty()) {
        progress |= serve(round, order.next(nominations));
      }
    } else {
      nominations.sort(classicalOrder());
      for (Nomination nomination : nominations) {
        progress |= serve(round, nomination);
      }
    }
    round.close();
    if (ledger.version() != before) {
      lines.forEach(WaitingLine::refresh); // those who stay in front may now take back their own
    }
    return progress;
  }

  /** Returns whether a head was put aside without being looked at further. */
  private boolean nominate(WaitingLine line, List<Nomination> nominations) {
    Optional<WaitingItem> head = line.head();
    if (head.isEmpty()) {
      line.settle();
      return false;
    }
    WaitingItem item = head.get();
    if (!serves.test(line.queue(), item.workload())) {
      wait(item, Waiting.of(Waiting.Kind.NAMESPACE_MISMATCH));
      line.parkApart(item);
      return true;
    }
    if (line.parkAgain(item)) {
      waiting.remove(item.workload().path()); // what it was told before still holds
      return true;
    }
    Nomination nomination =
        item.nomination(line.epoch())
            .filter(this::holds)
            .orElseGet(() -> nominator.nominate(line, item));
    item.remember(nomination);
    nominations.add(nomination);
    return false;
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

  private Comparator<Nomination> classicalOrder() {
    return Comparator.comparing((Nomination one) -> !(rules.preemptorsFirst() && one.isPreemptor()))
        .thenComparingInt(Nomination::level)
        .thenComparing(one -> one.item().workload(), this::byPriorityAndAge);
  }

  private int byPriorityAndAge(PendingWorkload one, PendingWorkload other) {
    return rules.byPriority()
        ? one.compareTo(other)
        : Comparator.comparing(PendingWorkload::since)
            .thenComparing(PendingWorkload::uid)
            .thenComparing(PendingWorkload::path)
            .compare(one, other);
  }

  /** Returns whether anything came of it, so that another round may find more. */
  private boolean serve(Round round, Nomination nomination) {
    WaitingLine line = nomination.line();
    WaitingItem item = nomination.item();
    if (rules.oneByOne() && nomination.mode() == Mode.FIT && !notReady.isEmpty()) {
      wait(item, Waiting.of(Waiting.Kind.PODS_NOT_READY));
      line.settle();
      return false;
    }
    return switch (round.serve(nomination)) {
      case Round.Outcome.Admitted(Decision.Admit admit) -> {
        waiting.remove(admit.workload().path());
        decisions.add(admit);
        if (line.queue().sharesByUsage()) {
          rules.charge().accept(admit.workload());
        }
        if (rules.oneByOne()) {
          notReady.add(admit.workload().path());
        }
        yield true;
      }
      case Round.Outcome.Preempting(Decision.Preempt preempt) -> {
        item.continueFrom(ScanProgress.NONE, line.epoch());
        line.stick(item);
        line.settle();
        waiting.remove(item.workload().path());
        if (!preempt.victims().isEmpty()) {
          preempting.add(item.workload().path());
          decisions.add(preempt);
          yield true;
        }
        if (!preempting.contains(item.workload().path())) {
          wait(item, preempt.waiting());
        }
        yield false;
      }
      case Round.Outcome.Stuck(Waiting why) -> {
        wait(item, why);
        yield putAside(line, item, nomination);
      }
      case Round.Outcome.Outrun(Waiting why) -> {
        wait(item, why);
        item.forget();
        item.continueFrom(nomination.assignment().tried(), line.epoch());
        line.refresh();
        yield nomination.assignment().tried().unfinished();
      }
    };
  }

  private boolean putAside(WaitingLine line, WaitingItem item, Nomination nomination) {
    if (nomination.assignment().tried().unfinished()) {
      item.continueFrom(nomination.assignment().tried(), line.epoch());
      item.forget();
      return true;
    }
    boolean resumed = item.progress(line.epoch()).unfinished();
    item.continueFrom(ScanProgress.NONE, line.epoch());
    if (resumed) {
      return startAgain(line, item, nomination);
    }
    if (line.queue().strict()) {
      line.settle();
      return false;
    }
    line.park(item);
    return true;
  }

  /**
   * Only the flavors behind one that somebody else came first to were looked at. The others are
   * looked at again, but not forever if nothing changes.
   */
  private static boolean startAgain(WaitingLine line, WaitingItem item, Nomination found) {
    item.forget();
    boolean again = item.startAgain(found.version());
    if (!again) {
      line.settle();
    }
    return again;
  }

  private void wait(WaitingItem item, Waiting why) {
    waiting.put(item.workload().path(), new Decision.Wait(item.workload(), why));
  }
}
