package dev.sluice.engine.flavor;

import dev.sluice.engine.flavor.Assignment.Choice;
import dev.sluice.engine.flavor.Assignment.PodSetFlavors;
import dev.sluice.engine.preemption.PreemptionSearch;
import dev.sluice.engine.queue.NoFitReason;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.PodSetRequest;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.queue.QuotaLedger;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.Usage;
import dev.sluice.model.Amounts;
import dev.sluice.model.kueue.ResourceGroup;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The assignment of flavors to the pod sets of a workload.
 *
 * <p>Pod sets are processed in order; each counts the amounts of those before it as used. The
 * resources of one resource group get the same flavor. The flavors of a group are tried in the
 * queue's order, from where the last search stopped, until one is good enough; if none is, the best
 * of them is taken.
 */
public final class FlavorAssigner {

  private final QuotaLedger ledger;
  private final PreemptionSearch preemption;
  private final FlavorRules rules;

  public FlavorAssigner(QuotaLedger ledger, PreemptionSearch preemption, FlavorRules rules) {
    this.ledger = ledger;
    this.preemption = preemption;
    this.rules = rules;
  }

  /**
   * @param podSets those of the workload, perhaps with fewer pods
   */
  public Assignment assign(
      PendingWorkload workload, List<PodSetRequest> podSets, FlavorCursor progress) {
    return new Run(workload, progress, false).assign(podSets);
  }

  /** The same, without flavors that need preemption. */
  public Assignment assignOnlyWhatFits(
      PendingWorkload workload, List<PodSetRequest> podSets, FlavorCursor progress) {
    return new Run(workload, progress, true).assign(podSets);
  }

  /** The state of one assignment. */
  private final class Run {
    private final QueueSpec queue;
    private final CoveredRequests counting;
    private final PendingWorkload workload;
    private final FlavorSearch scan;
    private final FlavorCursor progress;
    private final SortedMap<FlavorResource, Long> assumed = new TreeMap<>();
    private final Map<String, Integer> tried = new LinkedHashMap<>();

    Run(PendingWorkload workload, FlavorCursor progress, boolean onlyWhatFits) {
      this.queue = ledger.queue(workload.clusterQueue()).orElseThrow();
      this.counting = new CoveredRequests(queue, rules.ignoresUndeclared());
      this.workload = workload;
      this.scan =
          new FlavorSearch(
              ledger,
              rules,
              queue,
              workload,
              new QuotaCheck(ledger, preemption, workload),
              onlyWhatFits);
      this.progress = progress;
    }

    Assignment assign(List<PodSetRequest> podSets) {
      List<PodSetFlavors> found =
          podSets.size() == 1 ? assignTogether(podSets) : assignInTurn(podSets);
      return new Assignment(
          found, usage(), tried.isEmpty() ? FlavorCursor.NONE : new FlavorCursor(tried));
    }

    private List<PodSetFlavors> assignInTurn(List<PodSetRequest> podSets) {
      var found = new LinkedHashMap<String, PodSetFlavors>();
      for (List<PodSetRequest> together : grouped(podSets)) {
        List<PodSetFlavors> some = assignTogether(together);
        some.forEach(flavors -> found.put(flavors.podSet().name(), flavors));
        if (some.getFirst().mode() == AssignmentMode.NO_FIT) {
          break; // without these pods the workload cannot run, whatever flavors the others get
        }
      }
      var inOrder = new ArrayList<PodSetFlavors>();
      podSets.forEach(
          podSet -> Optional.ofNullable(found.get(podSet.name())).ifPresent(inOrder::add));
      return inOrder;
    }

    private Usage usage() {
      return workload
          .replaces()
          .map(slice -> new Usage(assumed).minus(slice.usage()))
          .orElseGet(() -> new Usage(assumed));
    }

    private List<PodSetFlavors> assignTogether(List<PodSetRequest> together) {
      var counted = new ArrayList<Amounts>(together.size());
      together.forEach(podSet -> counted.add(counting.of(podSet)));
      SortedMap<String, Long> requests = requests(counted);
      Gathered all = gather(together, requests);
      requests.forEach((resource, amount) -> assume(resource, amount, all.choices));
      var found = new ArrayList<PodSetFlavors>(together.size());
      for (int i = 0; i < together.size(); i++) {
        Amounts own = counted.get(i);
        found.add(
            new PodSetFlavors(
                together.get(i), own, choicesOf(own, all.choices), all.reasons, all.attempts));
      }
      return found;
    }

    /** The results for pod sets that get the same flavors. */
    private static final class Gathered {
      private SortedMap<String, Choice> choices = Collections.emptySortedMap();
      private List<NoFitReason> reasons = List.of();
      private List<FlavorAttempt> attempts = List.of();

      /** Adds the attempts for one resource group. */
      void look(FlavorSearch.Found found) {
        attempts = both(attempts, found.attempts());
      }

      void take(FlavorSearch.Found found) {
        if (choices.isEmpty()) {
          choices = found.best().choices();
        } else {
          choices = new TreeMap<>(choices);
          choices.putAll(found.best().choices());
        }
        reasons = both(reasons, found.missing());
      }

      private static <T> List<T> both(List<T> some, List<T> more) {
        if (some.isEmpty() || more.isEmpty()) {
          return some.isEmpty() ? more : some;
        }
        var all = new ArrayList<>(some);
        all.addAll(more);
        return all;
      }

      /** Discards all choices: one resource does not fit. */
      void giveUp(List<NoFitReason> why) {
        choices = Collections.emptySortedMap();
        reasons = why;
      }
    }

    private Gathered gather(List<PodSetRequest> together, SortedMap<String, Long> requests) {
      var all = new Gathered();
      for (String resource : requests.keySet()) {
        if (all.choices.containsKey(resource)) {
          continue; // it got the flavor of its group
        }
        Optional<FlavorSearch.Found> found = look(resource, together, requests);
        found.ifPresent(all::look);
        if (found.isEmpty() || found.get().isNothing()) {
          List<NoFitReason> uncovered = List.of(new NoFitReason.NotCovered(resource));
          all.giveUp(found.map(FlavorSearch.Found::missing).orElse(uncovered));
          forgetProgress(together.getFirst());
          break;
        }
        all.take(found.get());
      }
      return all;
    }

    /** Where one resource does not fit, no other flavor for the rest helps. */
    private void forgetProgress(PodSetRequest first) {
      tried.keySet().removeIf(key -> key.startsWith(FlavorCursor.key(first.name(), "")));
    }

    /** Finds a flavor for a resource and its group; empty if no group covers it. */
    private Optional<FlavorSearch.Found> look(
        String resource, List<PodSetRequest> together, SortedMap<String, Long> requests) {
      Optional<ResourceGroup> group = groupOf(resource);
      if (group.isEmpty()) {
        return Optional.empty();
      }
      SortedMap<String, Long> covered = covered(requests, group.get());
      String first = together.getFirst().name();
      int start = rules.fungible() ? progress.start(first, covered.firstKey()) : 0;
      FlavorSearch.Found found = scan.look(group.get(), together, covered, assumed, start);
      if (!found.finished()) {
        covered.keySet().forEach(name -> tried.put(FlavorCursor.key(first, name), found.reached()));
      }
      return Optional.of(found);
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

    private static SortedMap<String, Long> covered(
        SortedMap<String, Long> requests, ResourceGroup group) {
      if (group.coveredResources().containsAll(requests.keySet())) {
        return requests;
      }
      var covered = new TreeMap<>(requests);
      covered.keySet().retainAll(group.coveredResources());
      return covered;
    }
  }

  private static List<List<PodSetRequest>> grouped(List<PodSetRequest> podSets) {
    var groups = new LinkedHashMap<String, List<PodSetRequest>>();
    for (PodSetRequest podSet : podSets) {
      String key = podSet.group().isEmpty() ? "/" + podSet.name() : podSet.group();
      groups.computeIfAbsent(key, _ -> new ArrayList<>()).add(podSet);
    }
    return List.copyOf(groups.values());
  }
}
