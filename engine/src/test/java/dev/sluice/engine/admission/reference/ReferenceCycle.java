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
  private final List<Reserve> reserves = new ArrayList<>();
  private final List<PendingWorkload> admitted = new ArrayList<>();
  private final List<String> decisions = new ArrayList<>();
  private int overlaps;
  private int shrunk;
  private boolean reservesWithoutVictims;
  private boolean reclaimed;

  /** Processes the heads of queues that share quota; no two of one queue. */
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

  /** The head of a queue, what was found for it, and its victims. */
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

  private record Reserve(String queue, Usage usage) {}

  /** Admissions and preemptions, in that order. */
  List<String> decisions() {
    return decisions;
  }

  /** The victims, also some that were preempted before. */
  List<QuotaReservation> victims() {
    return issued.stream().map(Target::victim).toList();
  }

  /** The workloads that are not pending any more. */
  List<PendingWorkload> admitted() {
    return admitted;
  }

  /** How many were admitted, or evict others, with fewer pods than they ask for. */
  int shrunk() {
    return shrunk;
  }

  /** Whether an entry without victims reserved quota. */
  boolean reservesWithoutVictims() {
    return reservesWithoutVictims;
  }

  /** How many entries were skipped since another preempts one of their victims. */
  int overlaps() {
    return overlaps;
  }

  private Entry nominate(PendingWorkload head) {
    QueueSpec queue =
        world.queues.stream()
            .filter(spec -> spec.name().equals(head.clusterQueue()))
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
            .anyMatch(target ->
                issued.stream().anyMatch(other -> other.victim().equals(target.victim())));
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
              .filter(target -> !target.victim().evicted())
              .map(target -> target.victim().name() + " (" + target.cause().word() + ")")
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
      world.reference.hold(
          QuotaReservation.of(entry.workload(), entry.usage(), AdmissionScene.NOW));
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

  private boolean fitsWithoutIssued(Entry entry) {
    hold(issued, -1);
    boolean fits = fits(entry);
    hold(issued, 1);
    return fits;
  }

  private boolean fits(Entry entry) {
    ReferenceQuota.Node node = ReferenceQuota.queue(entry.queue().name());
    return entry.found().usage().entrySet().stream()
        .allMatch(requested ->
            requested.getValue() == 0
                || requested.getValue() <= world.quota.available(node, requested.getKey()));
  }

  /** What a head without victims reserves for the cycle. */
  private Usage reserved(Entry entry) {
    var amounts = new TreeMap<FlavorResource, Long>();
    entry
        .found()
        .usage()
        .forEach((flavorResource, amount) -> {
          Quota own = entry.queue().quota().quotas().getOrDefault(flavorResource, Quota.NONE);
          long home =
              own.nominal()
                  - world.quota.usage(ReferenceQuota.queue(entry.queue().name()), flavorResource);
          boolean borrows = entry.found().grade().level() > 0;
          Optional<Long> most =
              !borrows
                  ? Optional.of(home)
                  : own.borrowingLimit().stream().mapToObj(limit -> home + limit).findFirst();
          amounts.put(
              flavorResource,
              most.map(least -> Math.max(0, Math.min(amount, least))).orElse(amount));
        });
    return new Usage(amounts);
  }

  private void reserve(Entry entry, Usage usage) {
    var reserve = new Reserve(entry.queue().name(), usage);
    reserves.add(reserve);
    count(List.of(reserve), 1);
  }

  private void hold(List<Target> targets, int sign) {
    targets.forEach(
        target -> world.quota.use(target.victim().clusterQueue(), target.victim().usage(), sign));
  }

  private void count(List<Reserve> reserved, int sign) {
    reserved.forEach(reserve -> world.quota.use(reserve.queue(), reserve.usage(), sign));
  }
}
