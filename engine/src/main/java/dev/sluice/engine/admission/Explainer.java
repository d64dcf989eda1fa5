package dev.sluice.engine.admission;

import dev.sluice.engine.admission.Explanation.FlavorFindings;
import dev.sluice.engine.admission.Explanation.Holder;
import dev.sluice.engine.admission.Explanation.NoPreemption;
import dev.sluice.engine.admission.Explanation.NoPreemption.Obstacle;
import dev.sluice.engine.admission.Explanation.PodSetFindings;
import dev.sluice.engine.admission.Explanation.Shortage;
import dev.sluice.engine.admission.cycle.AdmissionRules;
import dev.sluice.engine.admission.pending.NamespaceMatcher;
import dev.sluice.engine.admission.pending.PendingEntry;
import dev.sluice.engine.admission.pending.PendingQueue;
import dev.sluice.engine.flavor.FlavorMatch;
import dev.sluice.engine.preemption.PreemptionCandidates;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.NoFitReason;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.PodSetRequest;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.queue.QuotaLedger;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.model.Amounts;
import dev.sluice.model.kueue.ResourceGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** The search for the reasons why a workload is pending. It changes nothing. */
final class Explainer {
  private final QuotaLedger ledger;
  private final QueueSpec queue;
  private final QuotaNode node;
  private final PendingQueue pending;
  private final AdmissionRules rules;
  private final NamespaceMatcher namespaces;
  private final Map<FlavorResource, Long> earlier = new TreeMap<>();

  Explainer(
      QuotaLedger ledger, PendingQueue pending, AdmissionRules rules, NamespaceMatcher namespaces) {
    this.ledger = ledger;
    this.pending = pending;
    this.rules = rules;
    this.namespaces = namespaces;
    this.queue = pending.spec();
    this.node = ledger.tree().queue(queue.name()).orElseThrow();
  }

  Explanation explain(PendingEntry entry) {
    PendingWorkload workload = entry.workload();
    List<Target> waitsFor = pending.isPreemptor(entry) ? stillHolding(entry) : List.of();
    List<PendingWorkload> all = pending.inOrder(List.of());
    int ahead = all.indexOf(workload);
    List<PodSetFindings> podSets =
        workload.podSets().stream().map(podSet -> podSet(podSet, workload)).toList();
    Explanation.State state = state(entry, waitsFor);
    boolean blocks =
        state == Explanation.State.PENDING
            && queue.strict()
            && ahead == 0
            && !pending.hasUntriedHead();
    List<PendingWorkload> behind = blocks ? all.subList(1, all.size()) : List.of();
    return new Explanation(
        workload,
        state,
        ahead,
        first(all.subList(0, Math.max(ahead, 0))),
        podSets,
        waitsFor,
        behind.size(),
        first(behind),
        blocks || state == Explanation.State.INADMISSIBLE
            ? noPreemption(workload, podSets)
            : Optional.empty());
  }

  private static List<String> first(List<PendingWorkload> workloads) {
    return workloads.stream().limit(Explanation.NAMED).map(PendingWorkload::path).toList();
  }

  /** Empty if nothing is missing that another workload could release. */
  private Optional<NoPreemption> noPreemption(
      PendingWorkload workload, List<PodSetFindings> podSets) {
    var needed = new TreeSet<FlavorResource>();
    for (PodSetFindings podSet : podSets) {
      for (FlavorFindings flavor : podSet.flavors()) {
        flavor.shortages().stream()
            .filter(shortage -> shortage.requested() <= shortage.capacity())
            .forEach(shortage -> needed.add(shortage.flavorResource()));
      }
    }
    if (needed.isEmpty()) {
      return Optional.empty();
    }
    if (!queue.preempts()) {
      return Optional.of(new NoPreemption(Obstacle.POLICY_NEVER, 0));
    }
    int candidates = PreemptionCandidates.count(ledger, rules.preemption(), workload, needed);
    if (candidates == 0) {
      return Optional.of(new NoPreemption(Obstacle.NO_CANDIDATES, 0));
    }
    Obstacle obstacle = workload.mayPreempt() ? Obstacle.TOO_LITTLE : Obstacle.GATED;
    return Optional.of(new NoPreemption(obstacle, candidates));
  }

  private Explanation.State state(PendingEntry entry, List<Target> waitsFor) {
    if (!ledger.admits(queue.name())) {
      return Explanation.State.QUEUE_INACTIVE;
    }
    if (!namespaces.matches(queue, entry.workload())) {
      return Explanation.State.NAMESPACE_MISMATCH;
    }
    if (!entry.workload().problems().isEmpty()) {
      return Explanation.State.MISCONFIGURED;
    }
    if (!waitsFor.isEmpty()) {
      return Explanation.State.PREEMPTING;
    }
    return entry.isInadmissible() ? Explanation.State.INADMISSIBLE : Explanation.State.PENDING;
  }

  private List<Target> stillHolding(PendingEntry entry) {
    return entry.targets().stream()
        .filter(target -> ledger.reservation(target.victim().path()).isPresent())
        .toList();
  }

  private PodSetFindings podSet(PodSetRequest podSet, PendingWorkload workload) {
    Amounts requests = requests(podSet);
    var uncovered = new ArrayList<NoFitReason>();
    requests.forEach((resource, amount) -> {
      if (!queue.covers(resource) && amount > 0 && !rules.flavors().ignoresUndeclared()) {
        uncovered.add(new NoFitReason.NotCovered(resource));
      }
    });
    var flavors = new ArrayList<FlavorFindings>();
    for (ResourceGroup group : queue.groups()) {
      if (group.coveredResources().stream().anyMatch(resource -> requests.get(resource) > 0)) {
        List<FlavorFindings> found =
            group.flavors().stream()
                .filter(flavor -> workload.allows(flavor.name()))
                .map(flavor -> flavor(flavor.name(), group, podSet, requests))
                .toList();
        found.stream()
            .filter(FlavorFindings::fits)
            .findFirst()
            .ifPresent(fitting -> assume(fitting.flavor(), group, requests));
        flavors.addAll(found);
      }
    }
    return new PodSetFindings(podSet.name(), uncovered, flavors);
  }

  private Amounts requests(PodSetRequest podSet) {
    return queue.covers("pods")
        ? podSet.total().plus(Amounts.of("pods", podSet.count()))
        : podSet.total();
  }

  /** The pod sets that follow see what this one would use as taken. */
  private void assume(String flavor, ResourceGroup group, Amounts requests) {
    for (String resource : group.coveredResources()) {
      earlier.merge(new FlavorResource(flavor, resource), requests.get(resource), Amounts::sum);
    }
  }

  private FlavorFindings flavor(
      String flavor, ResourceGroup group, PodSetRequest podSet, Amounts requests) {
    List<NoFitReason> obstacles =
        ledger
            .flavor(flavor)
            .map(spec -> FlavorMatch.obstacle(podSet.needs(), spec))
            .orElseGet(() -> Optional.of(new NoFitReason.FlavorNotFound(flavor)))
            .map(List::of)
            .orElseGet(List::of);
    var shortages = new ArrayList<Shortage>();
    for (String resource : group.coveredResources()) {
      if (requests.get(resource) > 0) {
        var requested = new FlavorResource(flavor, resource);
        long amount = Amounts.sum(earlier.getOrDefault(requested, 0L), requests.get(resource));
        shortage(requested, amount).ifPresent(shortages::add);
      }
    }
    return new FlavorFindings(flavor, obstacles, shortages);
  }

  private Optional<Shortage> shortage(FlavorResource requested, long amount) {
    return node.bottleneck(requested, amount)
        .map(found -> {
          List<Holder> all = holders(found.node(), requested);
          List<Holder> named = all.subList(0, Math.min(Explanation.NAMED, all.size()));
          long others = 0;
          for (Holder holder : all.subList(named.size(), all.size())) {
            others = Amounts.sum(others, holder.amount());
          }
          return new Shortage(
              requested,
              amount,
              found.missing(),
              node.potentialAvailable(requested),
              limit(found),
              found.node().name(),
              named,
              others);
        });
  }

  private static Explanation.Limit limit(QuotaNode.Bottleneck bottleneck) {
    if (bottleneck.byBorrowingLimit()) {
      return Explanation.Limit.BORROWING_LIMIT;
    }
    return bottleneck.node().isQueue()
        ? Explanation.Limit.QUEUE_QUOTA
        : Explanation.Limit.COHORT_QUOTA;
  }

  private List<Holder> holders(QuotaNode under, FlavorResource flavorResource) {
    var holders = new ArrayList<Holder>();
    under.forEachQueue(holder -> {
      int workloads = 0;
      for (QuotaReservation held : ledger.reservations(holder.name())) {
        workloads += held.usage().get(flavorResource) > 0 ? 1 : 0;
      }
      if (workloads > 0) {
        holders.add(new Holder(holder.name(), holder.usage(flavorResource), workloads));
      }
    });
    holders.sort(Comparator.comparingLong(Holder::amount).reversed().thenComparing(Holder::queue));
    return holders;
  }
}
