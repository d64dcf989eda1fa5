package dev.sluice.engine.admission.reference;

import dev.sluice.engine.admission.AdmissionScene;
import dev.sluice.engine.flavor.AssignmentMode;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.Usage;
import dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy;
import dev.sluice.model.kueue.ResourceGroup.Quota;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One plain admission cycle, step by step as in docs/specification/admission-cycle.md: the heads of
 * queues that share quota are nominated, put in order and processed one after the other, each
 * beside what the entries before it took, and without their victims. An admitted workload holds
 * quota from then on.
 *
 * <p>Two rules are ours and not Kueue's: no workload is admitted to quota that victims still hold
 * (docs/specification/admission-cycle.md#fit-at-admission); and, unless shares decide, no entry
 * borrows in a cycle in which a queue that reclaims what it lent gets some of its own
 * (docs/specification/admission-cycle.md#borrowing-beside-an-owner).
 */
final class ReferenceCycle {
  private final ReferenceWorld world;
  private final List<Target> issued = new ArrayList<>();
  private final List<Claim> reserves = new ArrayList<>();
  private final List<PendingWorkload> admitted = new ArrayList<>();
  private final List<String> decisions = new ArrayList<>();
  private int overlaps;
  private int shrunk;
  private boolean reservesWithoutVictims;
  private boolean reclaimed;

  /** Serves the heads of queues that share quota; no two of one queue. */
  ReferenceCycle(ReferenceWorld world, List<PendingWorkload> heads) {
    this.world = world;
    var left = new ArrayList<Entry>();
    heads.forEach(head -> left.add(nominate(head)));
    while (!left.isEmpty()) {
      Entry next = world.rules.fair() ? new ReferenceFairOrder(world, left).winner() : first(left);
      left.remove(next);
      if (!reclaimed || !borrowsAtOnce(next)) {
        process(next);
      }
    }
    count(reserves, -1);
  }

  /** The head of a queue, what was found for it, and who must give way. */
  record Entry(QueueSpec queue, PendingWorkload workload, ReferenceNomination.Attempt best) {

    ReferenceAssignment.Found found() {
      return best.found();
    }

    List<Target> targets() {
      return best.targets();
    }

    Usage usage() {
      return new Usage(found().usage());
    }
  }

  private record Claim(String queue, Usage usage) {}

  /** Who is admitted or evicts whom, in that order. */
  List<String> decisions() {
    return decisions;
  }

  /** Those who must give way, also some who were told before. */
  List<QuotaReservation> victims() {
    return issued.stream().map(Target::victim).toList();
  }

  /** Who does not wait any more. */
  List<PendingWorkload> admitted() {
    return admitted;
  }

  /** How many were admitted, or evict others, with fewer pods than they ask for. */
  int shrunk() {
    return shrunk;
  }

  /** Whether somebody kept quota from others although nobody gives way to it. */
  boolean reservesWithoutVictims() {
    return reservesWithoutVictims;
  }

  /** How many did not evict anybody since somebody else evicts one of their victims. */
  int overlaps() {
    return overlaps;
  }

  private Entry nominate(PendingWorkload head) {
    QueueSpec queue =
        world.queues.stream()
            .filter(one -> one.name().equals(head.clusterQueue()))
            .findFirst()
            .orElseThrow();
    return new Entry(queue, head, new ReferenceNomination(world, queue, head).best(Map.of()));
  }

  private static Entry first(List<Entry> entries) {
    return entries.stream()
        .min(
            Comparator.comparingInt((Entry entry) -> entry.found().grade().level())
                .thenComparing(Entry::workload))
        .orElseThrow();
  }

  private static boolean borrowsAtOnce(Entry entry) {
    return entry.found().grade().mode() == AssignmentMode.FIT && entry.found().grade().level() > 0;
  }

  private void process(Entry entry) {
    AssignmentMode mode = entry.found().grade().mode();
    if (mode == AssignmentMode.FIT) {
      admit(entry);
    } else if (mode.needsPreemption() && !entry.targets().isEmpty()) {
      preempt(entry);
    } else if (mode.needsPreemption()
        && entry.queue().preemption().withinCohort() != PreemptionPolicy.ANY) {
      reserve(entry, reserved(entry));
      reservesWithoutVictims = true;
    }
  }

  private void preempt(Entry entry) {
    boolean overlap =
        entry.targets().stream()
            .anyMatch(
                one -> issued.stream().anyMatch(other -> other.victim().equals(one.victim())));
    overlaps += overlap ? 1 : 0;
    hold(entry.targets(), -1);
    boolean fits = !overlap && fitsWithoutIssued(entry);
    hold(entry.targets(), 1);
    if (fits) {
      reserve(entry, entry.usage());
      note(entry);
      issued.addAll(entry.targets());
      world.preemptors.add(entry.workload().path());
      String victims =
          entry.targets().stream()
              .filter(one -> !one.victim().evicted())
              .map(one -> one.victim().name() + " (" + one.cause().word() + ")")
              .collect(Collectors.joining(", "));
      if (!victims.isEmpty()) {
        decisions.add(entry.workload().name() + " evicts: " + victims);
      }
    }
  }

  private void admit(Entry entry) {
    count(reserves, -1);
    boolean fitsNow = fits(entry);
    count(reserves, 1);
    if (fitsNow && fitsWithoutIssued(entry)) {
      world.reference.hold(reservation(entry));
      admitted.add(entry.workload());
      note(entry);
      decisions.add(entry.workload().name() + " " + entry.found().usage());
      reclaimed |=
          !world.rules.fair()
              && entry.found().grade().level() == 0
              && entry.queue().reclaimsFromAll();
    }
  }

  private void note(Entry entry) {
    shrunk += entry.best().podSets().equals(entry.workload().podSets()) ? 0 : 1;
  }

  private static QuotaReservation reservation(Entry entry) {
    PendingWorkload workload = entry.workload();
    return new QuotaReservation(
        workload.namespace(),
        workload.name(),
        workload.uid(),
        workload.owner(),
        workload.localQueue(),
        workload.clusterQueue(),
        workload.priority(),
        workload.since(),
        AdmissionScene.NOW,
        entry.usage(),
        false,
        false);
  }

  private boolean fitsWithoutIssued(Entry entry) {
    hold(issued, -1);
    boolean fits = fits(entry);
    hold(issued, 1);
    return fits;
  }

  private boolean fits(Entry entry) {
    ReferenceQuota.Node node = ReferenceQuota.queue(entry.queue().name());
    return entry.found().usage().entrySet().stream()
        .allMatch(
            of -> of.getValue() == 0 || of.getValue() <= world.quota.available(node, of.getKey()));
  }

  /** What a head that nobody gives way to keeps for the cycle. */
  private Usage reserved(Entry entry) {
    var amounts = new TreeMap<FlavorResource, Long>();
    entry
        .found()
        .usage()
        .forEach((of, amount) -> {
          Quota own = entry.queue().quota().quotas().getOrDefault(of, Quota.NONE);
          long home =
              own.nominal() - world.quota.usage(ReferenceQuota.queue(entry.queue().name()), of);
          boolean borrows = entry.found().grade().level() > 0;
          Optional<Long> most =
              !borrows
                  ? Optional.of(home)
                  : own.borrowingLimit().stream().mapToObj(limit -> home + limit).findFirst();
          amounts.put(of, most.map(least -> Math.max(0, Math.min(amount, least))).orElse(amount));
        });
    return new Usage(amounts);
  }

  private void reserve(Entry entry, Usage usage) {
    var claim = new Claim(entry.queue().name(), usage);
    reserves.add(claim);
    count(List.of(claim), 1);
  }

  private void hold(List<Target> some, int sign) {
    some.forEach(one -> world.quota.use(one.victim().clusterQueue(), one.victim().usage(), sign));
  }

  private void count(List<Claim> some, int sign) {
    some.forEach(one -> world.quota.use(one.queue(), one.usage(), sign));
  }
}
