package dev.sluice.engine.flavor;

import dev.sluice.engine.flavor.Assignment.Choice;
import dev.sluice.engine.flavor.Assignment.PodSetFlavors;
import dev.sluice.engine.preemption.Preemption;
import dev.sluice.engine.queue.Ledger;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.PodSetRequest;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.queue.Reason;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.Usage;
import dev.sluice.model.Amounts;
import dev.sluice.model.kueue.ResourceGroup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Finds flavors for the pod sets of a workload.
 *
 * <p>Pod sets are looked at in order; each sees the amounts of those before it as taken. The
 * resources of one group of the queue get the same flavor. The flavors of a group are tried in the
 * queue's order, from where the last search stopped, until one is good enough; if none is, the best
 * of them is taken.
 */
public final class FlavorAssigner {

  private final Ledger ledger;
  private final Preemption preemption;
  private final FlavorRules rules;

  public FlavorAssigner(Ledger ledger, Preemption preemption, FlavorRules rules) {
    this.ledger = ledger;
    this.preemption = preemption;
    this.rules = rules;
  }

  /**
   * @param podSets those of the workload, perhaps with fewer pods
   */
  public Assignment assign(
      PendingWorkload workload, List<PodSetRequest> podSets, ScanProgress progress) {
    return new Run(workload, progress).assign(podSets);
  }

  /** One assignment under way. */
  private final class Run {
    private final QueueSpec queue;
    private final Counting counting;
    private final PendingWorkload workload;
    private final QuotaCheck quota;
    private final ScanProgress progress;
    private final SortedMap<FlavorResource, Long> assumed = new TreeMap<>();
    private final Map<String, Integer> tried = new LinkedHashMap<>();

    Run(PendingWorkload workload, ScanProgress progress) {
      this.queue = ledger.queue(workload.clusterQueue()).orElseThrow();
      this.counting = new Counting(queue, rules.ignoresUndeclared());
      this.workload = workload;
      this.quota = new QuotaCheck(ledger, preemption, workload);
      this.progress = progress;
    }

    Assignment assign(List<PodSetRequest> podSets) {
      var found = new LinkedHashMap<String, PodSetFlavors>();
      for (List<PodSetRequest> together : grouped(podSets)) {
        List<PodSetFlavors> some = assignTogether(together);
        some.forEach(one -> found.put(one.podSet().name(), one));
        if (some.getFirst().mode() == Mode.NO_FIT) {
          break; // without these pods the workload cannot run, whatever the others find
        }
      }
      var inOrder = new ArrayList<PodSetFlavors>();
      podSets.forEach(
          podSet -> Optional.ofNullable(found.get(podSet.name())).ifPresent(inOrder::add));
      return new Assignment(
          inOrder, usage(), tried.isEmpty() ? ScanProgress.NONE : new ScanProgress(tried));
    }

    private Usage usage() {
      return workload
          .replaces()
          .map(slice -> new Usage(assumed).minus(slice.usage()))
          .orElseGet(() -> new Usage(assumed));
    }

    private List<PodSetFlavors> assignTogether(List<PodSetRequest> together) {
      var counted = new ArrayList<Amounts>();
      together.forEach(podSet -> counted.add(counting.of(podSet)));
      SortedMap<String, Long> requests = requests(counted);
      var choices = new TreeMap<String, Choice>();
      var reasons = new ArrayList<Reason>();
      for (String resource : requests.keySet()) {
        if (choices.containsKey(resource)) {
          continue;
        }
        Optional<ResourceGroup> group = groupOf(resource);
        boolean found =
            group.isPresent()
                ? assignGroup(group.get(), together, requests, choices, reasons)
                : uncovered(resource, requests, reasons);
        if (!found) {
          choices.clear();
          break;
        }
      }
      requests.forEach((resource, amount) -> assume(resource, amount, choices));
      var found = new ArrayList<PodSetFlavors>();
      for (int i = 0; i < together.size(); i++) {
        Amounts own = counted.get(i);
        found.add(new PodSetFlavors(together.get(i), own, choicesOf(own, choices), reasons));
      }
      return found;
    }

    private static SortedMap<String, Choice> choicesOf(
        Amounts own, SortedMap<String, Choice> choices) {
      if (own.byResource().size() == choices.size()) {
        return choices;
      }
      var some = new TreeMap<>(choices);
      some.keySet().retainAll(own.byResource().keySet());
      return some;
    }

    private void assume(String resource, long amount, Map<String, Choice> choices) {
      Choice choice = choices.get(resource);
      if (choice != null) {
        assumed.merge(new FlavorResource(choice.flavor(), resource), amount, Amounts::sum);
      }
    }

    private static SortedMap<String, Long> requests(List<Amounts> counted) {
      Amounts sum = counted.getFirst();
      for (Amounts more : counted.subList(1, counted.size())) {
        sum = sum.plus(more);
      }
      return sum.byResource();
    }

    private Optional<ResourceGroup> groupOf(String resource) {
      for (ResourceGroup group : queue.groups()) {
        if (group.coveredResources().contains(resource)) {
          return Optional.of(group);
        }
      }
      return Optional.empty();
    }

    private boolean uncovered(
        String resource, SortedMap<String, Long> requests, List<Reason> reasons) {
      boolean nothing = requests.getOrDefault(resource, 0L) == 0;
      if (!nothing) {
        reasons.add(new Reason.NotCovered(resource));
      }
      return nothing;
    }

    private boolean assignGroup(
        ResourceGroup group,
        List<PodSetRequest> together,
        SortedMap<String, Long> requests,
        Map<String, Choice> choices,
        List<Reason> reasons) {
      SortedMap<String, Long> covered = covered(requests, group);
      String first = together.getFirst().name();
      int start = rules.fungible() ? progress.start(first, covered.firstKey()) : 0;
      Trial best = Trial.NONE;
      int attempted = -1;
      for (int i = start; i < group.flavors().size(); i++) {
        attempted = i;
        Trial trial = attempt(group.flavors().get(i).name(), together, covered, reasons);
        if (stops(trial)) {
          best = trial;
          break;
        }
        best = trial.isPreferredTo(best, queue.fungibility()) ? trial : best;
      }
      boolean atEnd = !rules.fungible() || attempted == group.flavors().size() - 1;
      int reached = attempted;
      if (!atEnd) {
        covered.keySet().forEach(one -> tried.put(ScanProgress.key(first, one), reached));
      }
      choices.putAll(best.choices());
      return best.mode() != Mode.NO_FIT;
    }

    private static SortedMap<String, Long> covered(
        SortedMap<String, Long> requests, ResourceGroup group) {
      if (group.coveredResources().containsAll(requests.keySet())) {
        return requests;
      }
      var covered = new TreeMap<>(requests);
      covered.keySet().retainAll(group.coveredResources());
      return covered;
    }

    private boolean stops(Trial trial) {
      if (!rules.fungible()) {
        return trial.mode() == Mode.FIT;
      }
      QueueSpec.Fungibility fungibility = queue.fungibility();
      return switch (trial.mode()) {
        case NO_FIT, NO_CANDIDATES -> false;
        case PREEMPT, RECLAIM ->
            !fungibility.nextRatherThanPreempt()
                && !(trial.level() > 0 && fungibility.nextRatherThanBorrow());
        case FIT -> !(trial.level() > 0 && fungibility.nextRatherThanBorrow());
      };
    }

    private Trial attempt(
        String flavor,
        List<PodSetRequest> together,
        SortedMap<String, Long> covered,
        List<Reason> reasons) {
      Optional<Reason> obstacle = obstacle(flavor, together);
      if (obstacle.isPresent()) {
        if (!reasons.contains(obstacle.get())) {
          reasons.add(obstacle.get());
        }
        return Trial.NONE;
      }
      Trial trial = Trial.EMPTY;
      for (Map.Entry<String, Long> request : covered.entrySet()) {
        var of = new FlavorResource(flavor, request.getKey());
        QuotaCheck.Result result =
            quota.check(of, assumed.getOrDefault(of, 0L), request.getValue());
        result.reason().ifPresent(reasons::add);
        trial = trial.with(request.getKey(), flavor, result, queue.fungibility());
        if (trial.mode() == Mode.NO_FIT) {
          return Trial.NONE;
        }
      }
      return trial;
    }

    private Optional<Reason> obstacle(String flavor, List<PodSetRequest> together) {
      var spec = ledger.flavor(flavor);
      if (spec.isEmpty()) {
        return Optional.of(new Reason.FlavorNotFound(flavor));
      }
      if (workload.replaces().isPresent()) {
        Optional<String> held =
            workload.replaces().get().usage().amounts().keySet().stream()
                .map(FlavorResource::flavor)
                .findFirst();
        if (held.isPresent() && holdsOther(flavor)) {
          return Optional.of(new Reason.OtherFlavorHeld(flavor, held.get()));
        }
      }
      for (PodSetRequest podSet : together) {
        Optional<Reason> obstacle = FlavorMatch.obstacle(podSet.needs(), spec.get());
        if (obstacle.isPresent()) {
          return obstacle;
        }
      }
      return Optional.empty();
    }

    /** Whether the slice it takes over holds something of this flavor's group, but not this one. */
    private boolean holdsOther(String flavor) {
      var held = workload.replaces().orElseThrow().usage().amounts().keySet();
      return queue.groups().stream()
          .filter(group -> group.flavors().stream().anyMatch(one -> one.name().equals(flavor)))
          .flatMap(group -> group.flavors().stream())
          .anyMatch(one ->
              !one.name().equals(flavor)
                  && held.stream().anyMatch(of -> of.flavor().equals(one.name())));
    }
  }

  private static List<List<PodSetRequest>> grouped(List<PodSetRequest> podSets) {
    if (podSets.size() == 1) {
      return List.of(podSets);
    }
    var groups = new LinkedHashMap<String, List<PodSetRequest>>();
    for (PodSetRequest podSet : podSets) {
      String key = podSet.group().isEmpty() ? "/" + podSet.name() : podSet.group();
      groups.computeIfAbsent(key, _ -> new ArrayList<>()).add(podSet);
    }
    return List.copyOf(groups.values());
  }
}
