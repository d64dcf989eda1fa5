package dev.sluice.engine.admission.cycle;

import dev.sluice.engine.flavor.AssignmentMode;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QuotaLedger;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.engine.quota.Counted;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.Usage;
import dev.sluice.model.Amounts;
import dev.sluice.model.kueue.ResourceGroup.Quota;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;

/**
 * Serves the heads of several lines, one after the other, each seeing what those before it got.
 *
 * <p>Besides admissions, heads that wait for others to give way, or to end, <em>claim</em> quota
 * for the rest of the round, so that nobody behind them takes it. {@link #close} drops the claims.
 */
final class EntryProcessor {
  private final QuotaLedger ledger;
  private final Instant now;
  private final CycleVictims absent = new CycleVictims();
  private final List<Counted> claims = new ArrayList<>();

  EntryProcessor(QuotaLedger ledger, Instant now) {
    this.ledger = ledger;
    this.now = now;
  }

  /** What became of a head. */
  sealed interface Outcome {
    record Admitted(AdmissionDecision.Admit decision) implements Outcome {}

    record Preempting(AdmissionDecision.Preempt decision) implements Outcome {}

    /** Nothing will change before something else does. */
    record Stuck(PendingReason waiting) implements Outcome {}

    /** Somebody before it took what it found; it should look again. */
    record Outrun(PendingReason waiting) implements Outcome {}
  }

  Outcome serve(Nomination nomination) {
    return switch (nomination.mode()) {
      case NO_FIT -> stuck(nomination, PendingReason.Kind.NO_FIT);
      case NO_CANDIDATES, PREEMPT, RECLAIM ->
          nomination.targets().isEmpty() ? waitForOthers(nomination) : preempt(nomination);
      case FIT -> nomination.targets().isEmpty() ? admit(nomination) : preempt(nomination);
    };
  }

  private static Outcome stuck(Nomination nomination, PendingReason.Kind kind) {
    return new Outcome.Stuck(PendingReason.of(kind, nomination.assignment(), 0));
  }

  private static Outcome outrun(PendingReason.Kind kind) {
    return new Outcome.Outrun(PendingReason.of(kind));
  }

  private Outcome waitForOthers(Nomination nomination) {
    if (nomination.gated()) {
      return stuck(nomination, PendingReason.Kind.GATED);
    }
    if (!nomination.line().queue().reclaimsFromAll()) {
      claim(nomination, claimable(nomination));
    }
    return stuck(nomination, PendingReason.Kind.NO_CANDIDATES);
  }

  /** What a head that nobody gives way to may keep others from: no more than it may use itself. */
  private static Usage claimable(Nomination nomination) {
    QuotaNode node = nomination.node();
    boolean borrows = nomination.level() > 0;
    return nomination
        .usage()
        .atMost(of -> {
          Quota quota = node.quota(of);
          long own = Amounts.difference(quota.nominal(), node.usage(of));
          return borrows ? Amounts.sum(own, quota.borrowingLimit().orElse(Amounts.UNLIMITED)) : own;
        });
  }

  private Outcome preempt(Nomination nomination) {
    var gone = new LinkedHashMap<String, Target>();
    for (Target target : nomination.targets()) {
      String path = target.victim().path();
      if (absent.contains(path)) {
        return outrun(PendingReason.Kind.OVERLAPPING_VICTIMS);
      }
      gone.put(path, target);
    }
    if (!fitsWithout(nomination, gone.keySet())) {
      return outrun(PendingReason.Kind.SKIPPED);
    }
    claim(nomination, nomination.usage());
    var told = new ArrayList<Target>();
    gone.forEach((path, target) -> {
      QuotaReservation held = ledger.reservation(path).orElseThrow();
      absent.add(path, nodeOf(held), held.usage());
      if (!held.evicted()) {
        told.add(target);
        ledger.hold(held.asEvicted());
      }
    });
    boolean fits = nomination.mode() == AssignmentMode.FIT;
    var kind = fits ? PendingReason.Kind.MIGRATING : PendingReason.Kind.PREEMPTING;
    var waiting = PendingReason.of(kind, nomination.assignment(), gone.size());
    return new Outcome.Preempting(
        new AdmissionDecision.Preempt(nomination.item().workload(), told, waiting));
  }

  /** Whether all of these hold something, and it fits without them and all who are absent. */
  private boolean fitsWithout(Nomination nomination, Set<String> paths) {
    var gone = new ArrayList<QuotaReservation>();
    paths.forEach(path -> ledger.reservation(path).ifPresent(gone::add));
    gone.forEach(held -> nodeOf(held).remove(held.usage()));
    boolean fits =
        gone.size() == paths.size() && fitsWithoutAbsent(nomination.node(), nomination.usage());
    gone.forEach(held -> nodeOf(held).add(held.usage()));
    return fits;
  }

  private boolean fitsWithoutAbsent(QuotaNode node, Usage usage) {
    absent.leave();
    boolean fits = node.fits(usage);
    absent.comeBack();
    return fits;
  }

  /**
   * Whether it fits beside everybody who holds quota, also those who are on their way out; and
   * beside all claims, once those are gone. If it fits beside all of them at once, it does both.
   */
  private boolean mayEnter(QuotaNode node, Usage usage) {
    return node.fits(usage)
        || (!absent.isEmpty() && fitsWithoutClaims(node, usage) && fitsWithoutAbsent(node, usage));
  }

  private Outcome admit(Nomination nomination) {
    PendingWorkload workload = nomination.item().workload();
    if (!mayEnter(nomination.node(), taken(nomination))) {
      return outrun(PendingReason.Kind.SKIPPED);
    }
    var admission = nomination.assignment().admission(workload.clusterQueue());
    var reservation =
        new QuotaReservation(
            workload.namespace(),
            workload.name(),
            workload.uid(),
            workload.owner(),
            workload.localQueue(),
            workload.clusterQueue(),
            workload.priority(),
            workload.since(),
            now,
            workload.replaces().isPresent() ? Usage.of(admission) : nomination.usage(),
            false,
            false,
            workload.sibling());
    workload.replaces().ifPresent(this::release);
    ledger.hold(reservation);
    nomination.line().remove(nomination.item());
    return new Outcome.Admitted(
        new AdmissionDecision.Admit(
            workload, admission, reservation, nomination.assignment().considered()));
  }

  /**
   * What it takes besides what the slice it replaces holds here. That may be less by now than when
   * somebody looked: the slice may be gone, or another may have taken its place.
   */
  private Usage taken(Nomination nomination) {
    PendingWorkload workload = nomination.item().workload();
    String queue = workload.clusterQueue();
    if (workload.replaces().isEmpty()) {
      return nomination.usage();
    }
    Usage all = Usage.of(nomination.assignment().admission(queue));
    return ledger
        .reservation(workload.replaces().get().path())
        .filter(held -> held.clusterQueue().equals(queue))
        .map(held -> all.minus(held.usage()))
        .orElse(all);
  }

  private void release(PendingWorkload.Replaced slice) {
    ledger.release(slice.path());
    absent.remove(slice.path());
  }

  private boolean fitsWithoutClaims(QuotaNode node, Usage usage) {
    liftClaims();
    boolean fits = node.fits(usage);
    restoreClaims();
    return fits;
  }

  /** Takes the claims away for a while. */
  void liftClaims() {
    claims.forEach(Counted::remove);
  }

  void restoreClaims() {
    claims.forEach(Counted::add);
  }

  private QuotaNode nodeOf(QuotaReservation held) {
    return ledger.tree().queue(held.clusterQueue()).orElseThrow();
  }

  private void claim(Nomination nomination, Usage usage) {
    Counted claim = nomination.node().counted(usage);
    nomination.item().setClaims(true);
    claim.add();
    claims.add(claim);
  }

  /** Drops the claims. */
  void close() {
    liftClaims();
    claims.clear();
  }
}
