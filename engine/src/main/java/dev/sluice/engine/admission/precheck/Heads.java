package dev.sluice.engine.admission.precheck;

import dev.sluice.engine.admission.cycle.AdmissionRules;
import dev.sluice.engine.admission.cycle.Contender;
import dev.sluice.engine.admission.cycle.Decision;
import dev.sluice.engine.admission.cycle.Nomination;
import dev.sluice.engine.admission.cycle.Nominator;
import dev.sluice.engine.admission.cycle.Siblings;
import dev.sluice.engine.admission.cycle.Waiting;
import dev.sluice.engine.admission.pending.Outlook;
import dev.sluice.engine.admission.pending.WaitingItem;
import dev.sluice.engine.admission.pending.WaitingLine;
import dev.sluice.engine.flavor.Mode;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.Ledger;
import dev.sluice.engine.queue.Reservation;
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
 * turn all but one of them away. Method: of most lines the {@linkplain WaitingLine#outlook outlook}
 * tells, at little cost, that nobody can go, or that somebody can who takes nothing from others:
 * these lines are <em>quiet</em>. Of them the first to be served is sought. Where nobody can go any
 * more once that one is served, the head would only be turned away, so it is not called. If it is
 * not clear who is first, all quiet lines are called.
 */
public final class Heads {
  private final Ledger ledger;
  private final Nominator nominator;
  private final Map<String, Decision> waiting;
  private final boolean glances;
  private final AdmissionRules rules;
  private final Foremost foremost;
  private final Siblings siblings;

  /**
   * @param waiting what the workloads are told, by path
   * @param glances whether to leave out what can be seen at a glance
   */
  public Heads(
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
    this.siblings = new Siblings(ledger);
    this.foremost =
        new Foremost(
            rules, (line, item) -> hopeless(line, item).isEmpty() && known(line, item).isEmpty());
  }

  /** Lets the heads take part; returns whether somebody was put aside. */
  public boolean call(List<WaitingLine> lines, List<Contender> contenders) {
    var quiet = new ArrayList<Outlook>(lines.size());
    boolean progress = false;
    for (WaitingLine line : lines) {
      if (line.mayHaveHead() && !isQuiet(line, quiet)) {
        progress |= call(line, contenders);
      }
    }
    for (Outlook one : leaveOut(quiet, contenders)) {
      progress |= call(one.line(), contenders);
    }
    return progress;
  }

  /** Whether a line need not be looked at closely; it is noted if somebody can go. */
  private boolean isQuiet(WaitingLine line, List<Outlook> quiet) {
    Outlook outlook = glances ? line.outlook() : null;
    if (outlook == null) {
      return false;
    }
    return switch (outlook.prospect()) {
      case NONE -> {
        line.rest();
        yield true;
      }
      case FREE -> quiet.add(outlook);
      case UNKNOWN -> false;
    };
  }

  /** Leaves those lines out whose heads would only be turned away; returns the others. */
  private List<Outlook> leaveOut(List<Outlook> quiet, List<Contender> contenders) {
    if (quiet.isEmpty()) {
      return quiet;
    }
    if (rules.preemption().fair()) {
      return foremost
          .byShare(quiet, contenders)
          .map(first -> leaveOutBehind(first, quiet, contenders))
          .orElse(quiet);
    }
    List<Contender> active = active(contenders);
    var forecast = new Forecast(rules, foremost, quiet, active);
    forecast.served().forEach(one -> addTo(contenders, one));
    forecast.tooLate().forEach(item -> waiting.remove(item.path())); // what it was told still holds
    return forecast.served().isEmpty()
            && active.size() == 1
            && active.getFirst() instanceof Nomination preemptor
        ? leaveOutBehind(preemptor, quiet)
        : forecast.called();
  }

  private static void addTo(List<Contender> contenders, Contender.Glanced one) {
    if (!contenders.contains(one)) {
      contenders.add(one);
    }
  }

  /** Those who may take, claim or free something. */
  private static List<Contender> active(List<Contender> contenders) {
    var active = new ArrayList<Contender>();
    for (Contender one : contenders) {
      if (!(one instanceof Nomination nomination && nomination.mode() == Mode.NO_FIT)) {
        active.add(one);
      }
    }
    return active;
  }

  /** Calls the one with the lowest share. Where nobody can go once it is served, the line rests. */
  private List<Outlook> leaveOutBehind(
      Contender.Glanced first, List<Outlook> quiet, List<Contender> contenders) {
    first.take();
    var others = new ArrayList<>(quiet);
    others.removeIf(one -> one.line() == first.line());
    boolean deep = !first.node().root().cohorts().isEmpty();
    if (deep && others.stream().anyMatch(Outlook::helpsAny)) {
      first.giveBack();
      return quiet; // who is turned away may have stood for a cohort, before one who is not
    }
    List<Outlook> helped = Outlook.helped(others, WaitingLine::rest);
    first.giveBack();
    addTo(contenders, first);
    return helped;
  }

  /**
   * Somebody for whom others give way comes before all who fit, and keeps what it claims from them.
   * Where nobody can go besides, not even once the others have gone, the line is not called.
   */
  private List<Outlook> leaveOutBehind(Nomination preemptor, List<Outlook> quiet) {
    var gone = new ArrayList<Reservation>();
    for (Target target : preemptor.targets()) {
      ledger.reservation(target.victim().path()).ifPresent(gone::add);
    }
    List<Outlook> called = quiet;
    var outrun = new ArrayList<WaitingLine>();
    gone.forEach(held -> nodeOf(held).remove(held.usage()));
    boolean claims = gone.size() == preemptor.targets().size() && !gone.isEmpty();
    if (claims && preemptor.node().fits(preemptor.usage())) {
      preemptor.node().add(preemptor.usage());
      called = Outlook.helped(quiet, outrun::add);
      preemptor.node().remove(preemptor.usage());
    }
    gone.forEach(held -> nodeOf(held).add(held.usage()));
    outrun.forEach(this::settleOutrun);
    return called;
  }

  private void settleOutrun(WaitingLine line) {
    WaitingItem head = line.head().orElseThrow();
    var why = Waiting.of(Waiting.Kind.OUTRUN);
    waiting.put(head.path(), new Decision.Wait(head.workload(), why));
    line.settle();
  }

  private QuotaNode nodeOf(Reservation held) {
    return ledger.tree().queue(held.clusterQueue()).orElseThrow();
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
      Optional<Waiting> barred = siblings.bar(line.queue(), item.workload());
      if (barred.isPresent()) {
        waiting.put(item.path(), new Decision.Wait(item.workload(), barred.get()));
        line.park(item);
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
        && (nomination.version() >= ledger.releasedAt() || allHold(nomination.targets()));
  }

  private boolean allHold(List<Target> targets) {
    return targets.stream()
        .allMatch(target -> ledger.reservation(target.victim().path()).isPresent());
  }
}
