package dev.sluice.engine.admission.cycle;

import dev.sluice.engine.admission.pending.PendingEntry;
import dev.sluice.engine.admission.pending.PendingQueue;
import dev.sluice.engine.admission.precheck.HeadSelector;
import dev.sluice.engine.flavor.AssignmentMode;
import dev.sluice.engine.flavor.FlavorCursor;
import dev.sluice.engine.queue.QuotaLedger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

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
public final class AdmissionCycle {
  private final QuotaLedger ledger;
  private final AdmissionRules rules;
  private final List<List<PendingQueue>> families;
  private final Set<String> notReady;
  private final Instant now;
  private final Nominator nominator;
  private final HeadSelector heads;
  private final Map<String, AdmissionDecision> waiting = new LinkedHashMap<>();
  private final Set<String> preempting = new LinkedHashSet<>();
  private final List<AdmissionDecision> decisions = new ArrayList<>();
  private final List<PendingEntry> admitted = new ArrayList<>();
  private final List<Nomination> aside = new ArrayList<>();
  private long roundVersion;
  private int putAside;

  public AdmissionCycle(
      QuotaLedger ledger,
      AdmissionRules rules,
      Nominator nominator,
      boolean thorough,
      List<List<PendingQueue>> families,
      Set<String> notReady,
      Instant now) {
    this.ledger = ledger;
    this.rules = rules;
    this.families = families;
    this.notReady = notReady;
    this.now = now;
    boolean glances = !thorough && !rules.oneByOne();
    this.nominator = nominator;
    this.heads = new HeadSelector(ledger, rules, nominator, waiting, glances);
  }

  public List<AdmissionDecision> decide(int most) {
    for (List<PendingQueue> lines : families) {
      while (decisions.size() < most && anyFresh(lines)) {
        if (!round(lines)) {
          lines.forEach(PendingQueue::settle);
        }
      }
    }
    decisions.addAll(new TreeMap<>(waiting).values());
    return decisions;
  }

  /** Who does not wait any more. */
  public List<PendingEntry> admitted() {
    return admitted;
  }

  /** Whether somebody has a head that nobody has looked at since something changed. */
  public static boolean anyFresh(List<PendingQueue> lines) {
    for (PendingQueue line : lines) {
      if (line.isFresh()) {
        return true;
      }
    }
    return false;
  }

  /** Serves the heads of a family of queues; returns whether anything came of it. */
  private boolean round(List<PendingQueue> lines) {
    roundVersion = ledger.version();
    var contenders = new ArrayList<CycleEntry>();
    boolean progress = heads.call(lines, contenders);
    var round = new EntryProcessor(ledger, now);
    progress |=
        rules.preemption().fair() ? serveFairly(round, contenders) : serve(round, contenders);
    round.close();
    aside.forEach(stuck -> stuck.line().park(stuck.item()));
    putAside += aside.size();
    aside.clear();
    if (ledger.version() != roundVersion) {
      // those who stay in front may now take back their own
      lines.forEach(PendingQueue::refreshAfterOthers);
    }
    return progress;
  }

  /**
   * Serves the heads in order. Once a queue that takes back what it lent has got some of its own,
   * those who would borrow wait for the next round: the next in that queue may need what they would
   * get, and they would be evicted as soon as they are admitted.
   */
  private boolean serve(EntryProcessor round, List<CycleEntry> contenders) {
    contenders.sort(new ClassicalOrder(rules));
    boolean progress = false;
    boolean ownersCome = false;
    for (CycleEntry contender : contenders) {
      if (ownersCome && contender.borrowsAtOnce()) {
        contender.line().refresh();
        progress = true;
        continue;
      }
      int before = admitted.size();
      progress |= serve(round, contender);
      ownersCome |= admitted.size() > before && contender.isOwner();
    }
    return progress;
  }

  private boolean serve(EntryProcessor round, CycleEntry contender) {
    return switch (contender) {
      case Nomination nomination -> serve(round, nomination);
      case CycleEntry.Prechecked glanced -> serve(round, glanced);
    };
  }

  /** By shares. */
  private boolean serveFairly(EntryProcessor round, List<CycleEntry> contenders) {
    if (contenders.isEmpty()) {
      return false;
    }
    var order = new FairOrder(rules, contenders);
    boolean progress = false;
    for (var next = order.next(); next.isPresent(); next = order.next()) {
      progress |= serve(round, next.get());
    }
    return progress;
  }

  /**
   * What was seen at a glance is found out completely, now that it matters: as it was when the
   * round began, apart from what others got since.
   */
  private boolean serve(EntryProcessor round, CycleEntry.Prechecked glanced) {
    PendingQueue line = glanced.line();
    PendingEntry item = glanced.item();
    OptionalInt level = line.glance(item);
    if (level.isPresent()) { // even beside all claims
      return serve(round, nominator.nominate(line, item, level.getAsInt()));
    }
    round.liftClaims();
    level = line.glance(item);
    boolean putAside = level.isEmpty() && line.parkAgain(item);
    if (level.isPresent()) {
      Nomination found = nominator.nominate(line, item, level.getAsInt());
      round.restoreClaims();
      return serve(round, found);
    }
    round.restoreClaims();
    if (putAside) {
      waiting.remove(item.path()); // what it was told before still holds
      return true;
    }
    line.bringBack(item);
    return outrun(line, item, PendingReason.of(PendingReason.Kind.SKIPPED), FlavorCursor.NONE);
  }

  /** Returns whether anything came of it, so that another round may find more. */
  private boolean serve(EntryProcessor round, Nomination nomination) {
    PendingQueue line = nomination.line();
    PendingEntry item = nomination.item();
    if (rules.oneByOne() && nomination.mode() == AssignmentMode.FIT && !notReady.isEmpty()) {
      wait(item, PendingReason.of(PendingReason.Kind.PODS_NOT_READY));
      line.settle();
      return false;
    }
    return switch (round.serve(nomination)) {
      case EntryProcessor.Outcome.Admitted(AdmissionDecision.Admit admit) ->
          admitted(line, item, admit);
      case EntryProcessor.Outcome.Preempting(AdmissionDecision.Preempt preempt) ->
          preempting(line, item, preempt);
      case EntryProcessor.Outcome.Stuck(PendingReason why) -> {
        wait(item, why);
        yield putAside(line, item, nomination);
      }
      case EntryProcessor.Outcome.Outrun(PendingReason why) -> {
        if (why.kind() == PendingReason.Kind.OVERLAPPING_VICTIMS
            && !nomination.assignment().tried().unfinished()) {
          wait(item, why); // it finds the same again until the victims are gone
          yield false;
        }
        // what was found in an earlier round is looked for anew
        yield outrun(line, item, why, rest(nomination)) || nomination.version() < roundVersion;
      }
    };
  }

  private boolean admitted(PendingQueue line, PendingEntry item, AdmissionDecision.Admit admit) {
    waiting.remove(item.path());
    admitted.add(item);
    decisions.add(admit);
    if (line.queue().sharesByUsage()) {
      rules.charge().accept(admit);
    }
    if (rules.oneByOne()) {
      notReady.add(admit.workload().path());
    }
    return true;
  }

  private boolean preempting(
      PendingQueue line, PendingEntry item, AdmissionDecision.Preempt preempt) {
    item.continueFrom(FlavorCursor.NONE, line.epoch());
    line.stick(item);
    line.settle();
    waiting.remove(item.path());
    if (!preempt.victims().isEmpty()) {
      preempting.add(item.path());
      decisions.add(preempt);
      return true;
    }
    if (!preempting.contains(item.path())) {
      wait(item, preempt.waiting());
    }
    return false;
  }

  /**
   * Somebody came first; it looks again, at flavors that it has not looked at. Once it has looked
   * at all of them it begins anew, but after the second time more will come of that only if
   * something changes: else two who take turns at being outrun would keep each other going forever.
   */
  private boolean outrun(
      PendingQueue line, PendingEntry item, PendingReason why, FlavorCursor tried) {
    wait(item, why);
    item.forget();
    boolean resumed = item.progress(line.epoch()).unfinished();
    item.continueFrom(tried, line.epoch());
    line.refresh();
    if (tried.unfinished()) {
      return !item.hasLookedTwice(moment());
    }
    if (resumed) {
      item.startAgain(moment());
    }
    return false;
  }

  /**
   * Changes whenever one who was outrun may find more: others got something, or who claimed
   * something was put aside. There is room for a million of those between two versions.
   */
  private long moment() {
    return (ledger.version() << 20) + putAside;
  }

  /**
   * Where to go on with the flavors. Each step brings every pod set on by one flavor at least, so
   * all have been looked at after as many steps as a group has flavors. Pod sets that come to their
   * last flavor in turn would go on forever.
   */
  private static FlavorCursor rest(Nomination nomination) {
    PendingQueue line = nomination.line();
    int steps = nomination.item().resumed(line.epoch());
    return steps < line.queue().mostFlavors() ? nomination.assignment().tried() : FlavorCursor.NONE;
  }

  private boolean putAside(PendingQueue line, PendingEntry item, Nomination nomination) {
    boolean resumed = item.progress(line.epoch()).unfinished();
    FlavorCursor rest = rest(nomination);
    item.continueFrom(rest, line.epoch());
    // Those before one that somebody else came first to are looked at again, but once.
    if (rest.unfinished() || (resumed && item.startAgain(moment()))) {
      item.forget();
      return true;
    }
    if (line.queue().strict()) {
      line.settle();
      return false;
    }
    aside.add(nomination);
    return true;
  }

  private void wait(PendingEntry item, PendingReason why) {
    waiting.put(item.path(), new AdmissionDecision.Pending(item.workload(), why));
  }
}
