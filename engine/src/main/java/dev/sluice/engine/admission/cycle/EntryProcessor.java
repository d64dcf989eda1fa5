package dev.sluice.engine.admission.cycle;

import dev.sluice.engine.flavor.AssignmentMode;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QuotaLedger;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.Usage;
import dev.sluice.model.Amounts;
import dev.sluice.model.kueue.ResourceGroup.Quota;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The step of an admission cycle that processes the entries one after the other, each beside what
 * those before it got: an entry is admitted, preempts its victims, reserves quota or is skipped.
 *
 * <p>An admitted workload holds its quota from then on. An entry that waits for its victims to go,
 * or for other workloads to end, {@linkplain Reserves reserves} quota until {@link #close}.
 */
final class EntryProcessor {
  private final QuotaLedger ledger;
  private final Instant now;
  private final CycleVictims victims = new CycleVictims();
  private final Reserves reserves = new Reserves();

  EntryProcessor(QuotaLedger ledger, Instant now) {
    this.ledger = ledger;
    this.now = now;
  }

  /** What became of an entry. */
  sealed interface Outcome {
    record Admitted(AdmissionDecision.Admit decision) implements Outcome {}

    record Preempting(AdmissionDecision.Preempt decision) implements Outcome {}

    /** It is tried in vain until something else changes. */
    record Inadmissible(PendingReason reason) implements Outcome {}

    /** An entry before it took what was found for it; it should be tried again. */
    record Skipped(PendingReason reason) implements Outcome {}
  }

  /** The quota that entries have reserved so far. */
  Reserves reserves() {
    return reserves;
  }

  Outcome process(Nomination nomination) {
    return switch (nomination.mode()) {
      case NO_FIT -> inadmissible(nomination, PendingReason.Kind.NO_FIT);
      case NO_CANDIDATES, PREEMPT, RECLAIM ->
          nomination.targets().isEmpty() ? reserve(nomination) : preempt(nomination);
      case FIT -> nomination.targets().isEmpty() ? admit(nomination) : preempt(nomination);
    };
  }

  private static Outcome inadmissible(Nomination nomination, PendingReason.Kind kind) {
    return new Outcome.Inadmissible(PendingReason.of(kind, nomination.assignment(), 0));
  }

  private static Outcome skipped(PendingReason.Kind kind) {
    return new Outcome.Skipped(PendingReason.of(kind));
  }

  private Outcome reserve(Nomination nomination) {
    if (nomination.gated()) {
      return inadmissible(nomination, PendingReason.Kind.GATED);
    }
    if (!nomination.queue().spec().reclaimsFromAll()) {
      reserve(nomination, reservable(nomination));
    }
    return inadmissible(nomination, PendingReason.Kind.NO_CANDIDATES);
  }

  /** What an entry without victims may keep from others: no more than it may use itself. */
  private static Usage reservable(Nomination nomination) {
    QuotaNode node = nomination.node();
    boolean borrows = nomination.level() > 0;
    return nomination
        .usage()
        .atMost(flavorResource -> {
          Quota quota = node.quota(flavorResource);
          long own = Amounts.difference(quota.nominal(), node.usage(flavorResource));
          return borrows ? Amounts.sum(own, quota.borrowingLimit().orElse(Amounts.UNLIMITED)) : own;
        });
  }

  private Outcome preempt(Nomination nomination) {
    Set<String> paths = paths(nomination.targets());
    if (paths.stream().anyMatch(victims::contains)) {
      return skipped(PendingReason.Kind.OVERLAPPING_VICTIMS);
    }
    if (!fitsWithout(nomination, paths)) {
      return skipped(PendingReason.Kind.SKIPPED);
    }
    reserve(nomination, nomination.usage());
    List<Target> issued = evict(nomination.targets());
    boolean fits = nomination.mode() == AssignmentMode.FIT;
    var kind = fits ? PendingReason.Kind.MIGRATING : PendingReason.Kind.PREEMPTING;
    var reason = PendingReason.of(kind, nomination.assignment(), paths.size());
    return new Outcome.Preempting(
        new AdmissionDecision.Preempt(nomination.entry().workload(), issued, reason));
  }

  private static Set<String> paths(List<Target> targets) {
    var paths = new LinkedHashSet<String>();
    targets.forEach(target -> paths.add(target.victim().path()));
    return paths;
  }

  /** Makes these the cycle's victims; returns those that are not being evicted already. */
  private List<Target> evict(List<Target> targets) {
    var issued = new ArrayList<Target>();
    for (Target target : targets) {
      String path = target.victim().path();
      QuotaReservation held = ledger.reservation(path).orElseThrow();
      victims.add(path, nodeOf(held), held.usage());
      if (!held.evicted()) {
        issued.add(target);
        ledger.hold(held.asEvicted());
      }
    }
    return issued;
  }

  /** Whether all of these hold quota, and the entry fits without them and the cycle's victims. */
  private boolean fitsWithout(Nomination nomination, Set<String> paths) {
    var gone = new ArrayList<QuotaReservation>();
    paths.forEach(path -> ledger.reservation(path).ifPresent(gone::add));
    gone.forEach(held -> nodeOf(held).remove(held.usage()));
    boolean fits =
        gone.size() == paths.size() && fitsWithoutVictims(nomination.node(), nomination.usage());
    gone.forEach(held -> nodeOf(held).add(held.usage()));
    return fits;
  }

  private boolean fitsWithoutVictims(QuotaNode node, Usage usage) {
    victims.removeUsage();
    boolean fits = node.fits(usage);
    victims.restoreUsage();
    return fits;
  }

  /**
   * Whether an entry fits beside all that hold quota, also the victims; and beside all reserves,
   * once the victims are gone. If it fits beside all of them at once, it does both.
   */
  private boolean fits(QuotaNode node, Usage usage) {
    return node.fits(usage)
        || (!victims.isEmpty()
            && fitsWithoutReserves(node, usage)
            && fitsWithoutVictims(node, usage));
  }

  private boolean fitsWithoutReserves(QuotaNode node, Usage usage) {
    reserves.lift();
    boolean fits = node.fits(usage);
    reserves.restore();
    return fits;
  }

  private Outcome admit(Nomination nomination) {
    PendingWorkload workload = nomination.entry().workload();
    if (!fits(nomination.node(), additionalUsage(nomination))) {
      return skipped(PendingReason.Kind.SKIPPED);
    }
    var admission = nomination.assignment().admission(workload.clusterQueue());
    Usage usage = workload.replaces().isPresent() ? Usage.of(admission) : nomination.usage();
    QuotaReservation reservation = QuotaReservation.of(workload, usage, now);
    workload.replaces().ifPresent(this::release);
    ledger.hold(reservation);
    nomination.queue().remove(nomination.entry());
    return new Outcome.Admitted(
        new AdmissionDecision.Admit(
            workload, admission, reservation, nomination.assignment().considered()));
  }

  /**
   * What an entry uses beyond what the slice that it replaces holds here. That may be less than at
   * the nomination: the slice may be gone, or another may have taken its place.
   */
  private Usage additionalUsage(Nomination nomination) {
    PendingWorkload workload = nomination.entry().workload();
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
    victims.remove(slice.path());
  }

  private QuotaNode nodeOf(QuotaReservation held) {
    return ledger.tree().queue(held.clusterQueue()).orElseThrow();
  }

  private void reserve(Nomination nomination, Usage usage) {
    reserves.add(nomination, nomination.node().counted(usage));
  }

  /** Drops the reserves. */
  void close() {
    reserves.drop();
  }
}
