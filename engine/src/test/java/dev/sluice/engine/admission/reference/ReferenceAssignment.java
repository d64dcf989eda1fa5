package dev.sluice.engine.admission.reference;

import dev.sluice.engine.flavor.AssignmentMode;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.PodSetRequest;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.Usage;
import dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy;
import dev.sluice.model.kueue.ResourceGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The plain flavor assignment, rule by rule as in
 * docs/specification/flavor-assignment.md#the-search-through-the-flavors: what the engine must
 * find. Eligibility of flavors is left out.
 */
final class ReferenceAssignment {
  private static final Grade WORST = new Grade(AssignmentMode.NO_FIT, Integer.MAX_VALUE);

  private final ReferenceQuota quota;
  private final ReferencePreemption preemption;
  private final QueueSpec queue;
  private final PendingWorkload workload;
  private final boolean fungible;
  private final ReferenceQuota.Node node;
  private boolean onlyWhatFits;

  ReferenceAssignment(
      ReferenceQuota quota,
      ReferencePreemption preemption,
      QueueSpec queue,
      PendingWorkload workload,
      boolean fungible) {
    this.quota = quota;
    this.preemption = preemption;
    this.queue = queue;
    this.workload = workload;
    this.fungible = fungible;
    this.node = ReferenceQuota.queue(queue.name());
  }

  /** From now on a flavor that others would have to leave first is none. */
  ReferenceAssignment onlyWhatFits() {
    onlyWhatFits = true;
    return this;
  }

  /** How well something fits, and how far up the tree it borrows. */
  record Grade(AssignmentMode mode, int level) {}

  /** The flavor of one resource, and how it fits. */
  private record Choice(String flavor, Grade grade) {
    @Override
    public String toString() {
      return flavor + "/" + grade.mode() + "/" + grade.level();
    }
  }

  /**
   * What was found.
   *
   * @param grade of the resource that fits worst, with the highest level of all
   * @param podSets for each that was looked at, the flavor of each resource with how it fits
   * @param usage what is taken with those flavors
   * @param needed where preemption would be needed
   */
  record Found(
      Grade grade,
      List<String> podSets,
      SortedMap<FlavorResource, Long> usage,
      Set<FlavorResource> needed,
      Map<String, Integer> tried) {}

  /**
   * @param lastTried by pod set and resource, where the last search stopped
   */
  Found assign(Map<String, Integer> lastTried) {
    var podSets = new ArrayList<String>();
    var tried = new TreeMap<String, Integer>();
    var assumed = new TreeMap<FlavorResource, Long>();
    var needed = new TreeSet<FlavorResource>();
    AssignmentMode worst = AssignmentMode.FIT;
    int level = 0;
    for (PodSetRequest podSet : workload.podSets()) {
      SortedMap<String, Long> requests = podSet.total().byResource();
      var flavors = new TreeMap<String, Choice>();
      var reached = new TreeMap<String, Integer>();
      for (String resource : requests.keySet()) {
        if (flavors.containsKey(resource)) {
          continue;
        }
        Optional<ResourceGroup> group = group(resource);
        if (group.isEmpty() && requests.get(resource) == 0) {
          continue;
        }
        if (group.isEmpty()
            || !loop(group.get(), podSet, requests, assumed, lastTried, flavors, reached)) {
          podSets.add(podSet.name() + " {}");
          return new Found(
              new Grade(AssignmentMode.NO_FIT, level), podSets, assumed, needed, tried);
        }
      }
      for (Map.Entry<String, Choice> chosen : flavors.entrySet()) {
        Choice choice = chosen.getValue();
        var flavorResource = new FlavorResource(choice.flavor(), chosen.getKey());
        assumed.merge(flavorResource, requests.get(chosen.getKey()), Long::sum);
        if (choice.grade().mode().needsPreemption()) {
          needed.add(flavorResource);
        }
        worst = choice.grade().mode().compareTo(worst) < 0 ? choice.grade().mode() : worst;
        level = Math.max(level, choice.grade().level());
      }
      tried.putAll(reached);
      podSets.add(podSet.name() + " " + flavors);
    }
    return new Found(new Grade(worst, level), podSets, assumed, needed, tried);
  }

  private Optional<ResourceGroup> group(String resource) {
    return queue.groups().stream()
        .filter(group -> group.coveredResources().contains(resource))
        .findFirst();
  }

  private boolean loop(
      ResourceGroup group,
      PodSetRequest podSet,
      SortedMap<String, Long> requests,
      Map<FlavorResource, Long> assumed,
      Map<String, Integer> lastTried,
      Map<String, Choice> flavors,
      Map<String, Integer> reached) {
    List<String> resources =
        requests.keySet().stream().filter(group.coveredResources()::contains).toList();
    int start =
        fungible ? lastTried.getOrDefault(podSet.name() + "/" + resources.getFirst(), -1) + 1 : 0;
    Grade best = WORST;
    Map<String, Choice> chosen = Map.of();
    int attempted = -1;
    for (int i = start; i < group.flavors().size(); i++) {
      attempted = i;
      String flavor = group.flavors().get(i).name();
      Grade grade = new Grade(AssignmentMode.FIT, 0);
      var assigned = new TreeMap<String, Choice>();
      for (String resource : resources) {
        var flavorResource = new FlavorResource(flavor, resource);
        Grade found =
            check(
                flavorResource,
                assumed.getOrDefault(flavorResource, 0L) + requests.getOrDefault(resource, 0L));
        assigned.put(resource, new Choice(flavor, found));
        grade = isPreferred(grade, found) ? found : grade;
        if (grade.mode() == AssignmentMode.NO_FIT) {
          break;
        }
      }
      if (onlyWhatFits
          && assigned.values().stream()
              .anyMatch(choice -> choice.grade().mode() != AssignmentMode.FIT)) {
        continue;
      }
      if (fungible ? !shouldTryNext(grade) : grade.mode() == AssignmentMode.FIT) {
        best = grade;
        chosen = assigned;
        break;
      }
      if (fungible ? isPreferred(grade, best) : grade.mode().compareTo(best.mode()) > 0) {
        best = grade;
        chosen = assigned;
      }
    }
    if (best.mode() == AssignmentMode.NO_FIT) {
      return false;
    }
    flavors.putAll(chosen);
    if (fungible && attempted != group.flavors().size() - 1) {
      for (String resource : resources) {
        reached.put(podSet.name() + "/" + resource, attempted);
      }
    }
    return true;
  }

  private Grade check(FlavorResource flavorResource, long amount) {
    if (amount > quota.potentialAvailable(node, flavorResource)) {
      return WORST;
    }
    ReferenceQuota.Reach reach = quota.heightThatFits(node, flavorResource, amount);
    if (amount <= quota.available(node, flavorResource)) {
      return new Grade(AssignmentMode.FIT, reach.level());
    }
    boolean whileBorrowing =
        queue.preemption().whileBorrowing()
            || (preemption.fair() && queue.preemption().withinCohort() != PreemptionPolicy.NEVER);
    if (quota.nominal(node, flavorResource) < amount && !reach.mayReclaim() && !whileBorrowing) {
      return WORST;
    }
    return afterPreemption(flavorResource, amount, reach.level());
  }

  private Grade afterPreemption(FlavorResource flavorResource, long amount, int level) {
    var request = new TreeMap<FlavorResource, Long>();
    request.put(flavorResource, amount);
    List<Target> targets = preemption.targets(workload, new Usage(request), Set.of(flavorResource));
    if (targets.isEmpty()) {
      return new Grade(AssignmentMode.NO_CANDIDATES, level);
    }
    targets.forEach(
        target -> quota.use(target.victim().clusterQueue(), target.victim().usage(), -1));
    int after = quota.heightThatFits(node, flavorResource, amount).level();
    targets.forEach(
        target -> quota.use(target.victim().clusterQueue(), target.victim().usage(), 1));
    boolean allElsewhere =
        targets.stream().noneMatch(target -> target.victim().clusterQueue().equals(queue.name()));
    return new Grade(allElsewhere ? AssignmentMode.RECLAIM : AssignmentMode.PREEMPT, after);
  }

  private boolean shouldTryNext(Grade grade) {
    return switch (grade.mode()) {
      case NO_FIT, NO_CANDIDATES -> true;
      case PREEMPT, RECLAIM -> queue.fungibility().nextRatherThanPreempt() || triesToBorrow(grade);
      case FIT -> triesToBorrow(grade);
    };
  }

  private boolean triesToBorrow(Grade grade) {
    return grade.level() > 0 && queue.fungibility().nextRatherThanBorrow();
  }

  private boolean isPreferred(Grade a, Grade b) {
    if (a.mode() == AssignmentMode.NO_FIT) {
      return false;
    }
    if (b.mode() == AssignmentMode.NO_FIT) {
      return true;
    }
    boolean candidates = a.mode() != AssignmentMode.NO_CANDIDATES;
    if (candidates != (b.mode() != AssignmentMode.NO_CANDIDATES)) {
      return candidates;
    }
    if (queue.fungibility().preemptionOverBorrowing() && a.level() != b.level()) {
      return a.level() < b.level();
    }
    return a.mode() != b.mode() ? a.mode().compareTo(b.mode()) > 0 : a.level() < b.level();
  }
}
