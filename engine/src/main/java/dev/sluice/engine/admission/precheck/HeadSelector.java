package dev.sluice.engine.admission.precheck;

import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.engine.admission.cycle.AdmissionRules;
import dev.sluice.engine.admission.cycle.CycleEntry;
import dev.sluice.engine.admission.cycle.Nomination;
import dev.sluice.engine.admission.cycle.Nominator;
import dev.sluice.engine.admission.cycle.PendingReason;
import dev.sluice.engine.admission.cycle.Siblings;
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
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Calls the heads of lines that share quota into a round.
 *
 * <p>Goal: when quota comes back for one workload, not to bring one forward from every line and
 * turn all but one of them away. Method: of most lines the {@linkplain PendingQueue#outlook
 * outlook} tells, at little cost, that nobody can go, or that somebody can who takes nothing from
 * others: these lines are <em>quiet</em>. Of them the first to be served is sought. Where nobody
 * can go any more once that one is served, the head would only be turned away, so it is not called.
 * If it is not clear who is first, all quiet lines are called.
 */
public final class HeadSelector {
  private final QuotaLedger ledger;
  private final Nominator nominator;
  private final Map<String, AdmissionDecision> waiting;
  private final boolean glances;
  private final AdmissionRules rules;
  private final LowestShareFirst foremost;
  private final Siblings siblings;

  /**
   * @param waiting what the workloads are told, by path
   * @param glances whether to leave out what can be seen at a glance
   */
  public HeadSelector(
      QuotaLedger ledger,
      AdmissionRules rules,
      Nominator nominator,
      Map<String, AdmissionDecision> waiting,
      boolean glances) {
    this.ledger = ledger;
    this.nominator = nominator;
    this.waiting = waiting;
    this.glances = glances;
    this.rules = rules;
    this.siblings = new Siblings(ledger);
    this.foremost =
        new LowestShareFirst(
            rules, (line, item) -> hopeless(line, item).isEmpty() && known(line, item).isEmpty());
  }

  /** Lets the heads take part; returns whether somebody was put aside. */
  public boolean call(List<PendingQueue> lines, List<CycleEntry> contenders) {
    var quiet = new ArrayList<QueuePrecheck>(lines.size());
    boolean progress = false;
    for (PendingQueue line : lines) {
      if (line.mayHaveHead() && !isQuiet(line, quiet)) {
        progress |= call(line, contenders);
      }
    }
    for (QueuePrecheck one : leaveOut(quiet, contenders)) {
      progress |= call(one.line(), contenders);
    }
    return progress;
  }

  /** Whether a line need not be looked at closely; it is noted if somebody can go. */
  private boolean isQuiet(PendingQueue line, List<QueuePrecheck> quiet) {
    QueuePrecheck outlook = glances ? line.outlook() : null;
    if (outlook == null) {
      return false;
    }
    return switch (outlook.prospect()) {
      case BLOCKED -> {
        line.rest();
        yield true;
      }
      case FITS -> quiet.add(outlook);
      case UNKNOWN -> false;
    };
  }

  /** Leaves those lines out whose heads would only be turned away; returns the others. */
  private List<QueuePrecheck> leaveOut(List<QueuePrecheck> quiet, List<CycleEntry> contenders) {
    if (quiet.isEmpty()) {
      return quiet;
    }
    if (rules.preemption().fair()) {
      return foremost
          .byShare(quiet, contenders)
          .map(first -> leaveOutBehind(first, quiet, contenders))
          .orElse(quiet);
    }
    List<CycleEntry> active = active(contenders);
    var forecast = new CyclePrecheck(rules, foremost, quiet, active);
    forecast.served().forEach(one -> addTo(contenders, one));
    forecast.tooLate().forEach(item -> waiting.remove(item.path())); // what it was told still holds
    return forecast.served().isEmpty()
            && active.size() == 1
            && active.getFirst() instanceof Nomination preemptor
        ? leaveOutBehind(preemptor, quiet)
        : forecast.called();
  }

  private static void addTo(List<CycleEntry> contenders, CycleEntry.Prechecked one) {
    if (!contenders.contains(one)) {
      contenders.add(one);
    }
  }

  /** Those who may take, claim or free something. */
  private static List<CycleEntry> active(List<CycleEntry> contenders) {
    var active = new ArrayList<CycleEntry>();
    for (CycleEntry one : contenders) {
      if (!(one instanceof Nomination nomination && nomination.mode() == AssignmentMode.NO_FIT)) {
        active.add(one);
      }
    }
    return active;
  }

  /** Calls the one with the lowest share. Where nobody can go once it is served, the line rests. */
  private List<QueuePrecheck> leaveOutBehind(
      CycleEntry.Prechecked first, List<QueuePrecheck> quiet, List<CycleEntry> contenders) {
    first.take();
    var others = new ArrayList<>(quiet);
    others.removeIf(one -> one.line() == first.line());
    boolean deep = !first.node().root().cohorts().isEmpty();
    if (deep && others.stream().anyMatch(QueuePrecheck::helpsAny)) {
      first.giveBack();
      return quiet; // who is turned away may have stood for a cohort, before one who is not
    }
    List<QueuePrecheck> helped = QueuePrecheck.helped(others, PendingQueue::rest);
    first.giveBack();
    addTo(contenders, first);
    return helped;
  }

  /**
   * Somebody for whom others give way comes before all who fit, and keeps what it claims from them.
   * Where nobody can go besides, not even once the others have gone, the line is not called.
   */
  private List<QueuePrecheck> leaveOutBehind(Nomination preemptor, List<QueuePrecheck> quiet) {
    var gone = new ArrayList<QuotaReservation>();
    for (Target target : preemptor.targets()) {
      ledger.reservation(target.victim().path()).ifPresent(gone::add);
    }
    List<QueuePrecheck> called = quiet;
    var outrun = new ArrayList<PendingQueue>();
    gone.forEach(held -> nodeOf(held).remove(held.usage()));
    boolean claims = gone.size() == preemptor.targets().size() && !gone.isEmpty();
    if (claims && preemptor.node().fits(preemptor.usage())) {
      preemptor.node().add(preemptor.usage());
      called = QueuePrecheck.helped(quiet, outrun::add);
      preemptor.node().remove(preemptor.usage());
    }
    gone.forEach(held -> nodeOf(held).add(held.usage()));
    outrun.forEach(this::settleOutrun);
    return called;
  }

  private void settleOutrun(PendingQueue line) {
    PendingEntry head = line.head().orElseThrow();
    var why = PendingReason.of(PendingReason.Kind.SKIPPED);
    waiting.put(head.path(), new AdmissionDecision.Pending(head.workload(), why));
    line.settle();
  }

  private QuotaNode nodeOf(QuotaReservation held) {
    return ledger.tree().queue(held.clusterQueue()).orElseThrow();
  }

  /**
   * Lets the first of a line who may be able to go take part; returns whether somebody was put
   * aside.
   */
  private boolean call(PendingQueue line, List<CycleEntry> contenders) {
    boolean progress = false;
    for (var head = line.head(); head.isPresent(); head = line.head()) {
      PendingEntry item = head.get();
      Optional<PendingReason> hopeless = hopeless(line, item);
      if (hopeless.isPresent()) {
        waiting.put(item.path(), new AdmissionDecision.Pending(item.workload(), hopeless.get()));
        line.parkApart(item);
        return true;
      }
      Optional<PendingReason> barred = siblings.bar(line.queue(), item.workload());
      if (barred.isPresent()) {
        waiting.put(item.path(), new AdmissionDecision.Pending(item.workload(), barred.get()));
        line.park(item);
        return true;
      }
      Optional<CycleEntry> contender = contender(line, item);
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
  private static Optional<PendingReason> hopeless(PendingQueue line, PendingEntry item) {
    if (!line.serves(item)) {
      return Optional.of(PendingReason.of(PendingReason.Kind.NAMESPACE_MISMATCH));
    }
    return item.workload().problems().isEmpty()
        ? Optional.empty()
        : Optional.of(PendingReason.misconfigured(item.workload().problems()));
  }

  /** Empty if it was put aside again. */
  private Optional<CycleEntry> contender(PendingQueue line, PendingEntry item) {
    Optional<Nomination> known = known(line, item);
    if (known.isEmpty() && glances) {
      OptionalInt level = line.glance(item);
      if (level.isPresent()) {
        return Optional.of(new CycleEntry.Prechecked(line, item, level.getAsInt()));
      }
    }
    return line.parkAgain(item)
        ? Optional.empty()
        : Optional.of(known.orElseGet(() -> nominator.nominate(line, item)));
  }

  /** What was found before, if it still stands. */
  private Optional<Nomination> known(PendingQueue line, PendingEntry item) {
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
        && (nomination.version() >= ledger.releasedAt() || allHold(nomination.targets()));
  }

  private boolean allHold(List<Target> targets) {
    return targets.stream()
        .allMatch(target -> ledger.reservation(target.victim().path()).isPresent());
  }
}
