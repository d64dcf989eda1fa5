package dev.sluice.engine.admission.pending;

import dev.sluice.engine.admission.pending.InadmissibleGroups.Blocker;
import dev.sluice.engine.flavor.FlavorMatch;
import dev.sluice.engine.preemption.UpperBound;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.PodSetRequest;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.queue.QuotaLedger;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.QuotaCell;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.model.Amounts;
import dev.sluice.model.kueue.ResourceGroup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The quota that the workloads of a queue can get: at once, and {@linkplain UpperBound at most},
 * free or by preemption.
 */
public final class Headroom {
  private final QuotaLedger ledger;
  private final QueueSpec queue;
  private final QuotaNode node;
  private final UpperBound bound;
  private final Map<FlavorResource, Room> rooms = new LinkedHashMap<>();

  public Headroom(QuotaLedger ledger, QueueSpec queue, boolean fair) {
    this.ledger = ledger;
    this.queue = queue;
    this.node = ledger.tree().queue(queue.name()).orElseThrow();
    this.bound = UpperBound.of(node, queue, fair);
  }

  QuotaNode node() {
    return node;
  }

  Room room(FlavorResource flavorResource) {
    return rooms.computeIfAbsent(
        flavorResource, missing -> new Room(missing, node.cell(missing), bound));
  }

  /** What there is of one flavor and resource. */
  static final class Room {
    private final FlavorResource flavorResource;
    private final QuotaCell cell;
    private final UpperBound bound;

    private Room(FlavorResource flavorResource, QuotaCell cell, UpperBound bound) {
      this.flavorResource = flavorResource;
      this.cell = cell;
      this.bound = bound;
    }

    private Demand demand(long amount) {
      return new Demand(flavorResource, cell, bound, amount);
    }

    /** What the workloads of a priority lack that need these amounts. */
    QueuePrecheck.Shortage shortage(long priority, AmountFrontier amounts) {
      return new QueuePrecheck.Shortage(cell, bound, priority, amounts.least(), amounts);
    }

    /** The most that a workload of some priority can get. */
    long most(long priority) {
      return bound.most(cell, priority);
    }
  }

  /** An amount of one flavor and resource that a workload needs, and where it is counted. */
  public record Demand(
      FlavorResource flavorResource, QuotaCell cell, UpperBound bound, long amount) {

    /** Whether it fits right now. */
    boolean fits() {
      return amount <= Math.max(0, cell.available()) && amount <= cell.potential();
    }

    /** Whether it would not fit even by preemption. */
    boolean exceedsUpperBound(long priority) {
      return amount > bound.most(cell, priority);
    }

    /** How far up the cohort tree it would be borrowed. */
    int level() {
      return cell.level(amount);
    }

    CellRoom room() {
      return new CellRoom(Math.max(0, cell.available()), level(), cell.mayReclaim(amount));
    }

    /** Counts it as used, to try what that leaves. */
    public void addUsage() {
      cell.add(amount);
    }

    public void removeUsage() {
      cell.remove(amount);
    }
  }

  /** All that the answer depends on for an amount that no preemption helps. */
  record CellRoom(long free, int level, boolean mayReclaim) {}

  /**
   * All that a workload needs, if it has no choice: each resource is in one flavor only, for which
   * all its pods are eligible. Empty if only a nomination can say.
   */
  List<Demand> demands(PendingWorkload workload) {
    if (workload.sibling().isPresent()) {
      return List.of(); // what its siblings have counts too
    }
    var sums = new LinkedHashMap<Room, Long>();
    for (PodSetRequest podSet : workload.podSets()) {
      for (Map.Entry<String, Long> asked : requests(podSet).byResource().entrySet()) {
        Optional<FlavorResource> only = onlyChoice(podSet, asked.getKey());
        if (only.isPresent()) {
          sums.merge(room(only.get()), Math.max(0, asked.getValue()), Amounts::sum);
        } else if (queue.covers(asked.getKey()) || asked.getValue() > 0) {
          return List.of();
        }
      }
    }
    var demands = new ArrayList<Demand>();
    sums.forEach((room, amount) -> demands.add(room.demand(amount)));
    return workload.replaces().isPresent() ? List.of() : List.copyOf(demands);
  }

  /** What a pod set asks for; pods too, if the queue covers them. */
  private Amounts requests(PodSetRequest podSet) {
    if (!queue.covers("pods")) {
      return podSet.total();
    }
    var amounts = new TreeMap<>(podSet.total().byResource());
    amounts.put("pods", (long) podSet.count());
    return new Amounts(amounts);
  }

  private Optional<FlavorResource> onlyChoice(PodSetRequest podSet, String resource) {
    for (ResourceGroup group : queue.groups()) {
      if (group.coveredResources().contains(resource)) {
        return group.flavors().size() == 1 && isEligible(podSet, group.flavors().getFirst().name())
            ? Optional.of(new FlavorResource(group.flavors().getFirst().name(), resource))
            : Optional.empty();
      }
    }
    return Optional.empty();
  }

  /**
   * What blocks a workload: too large an amount in each flavor that one of its pod sets could use
   * for some resource. Empty if there is no such pod set.
   */
  List<Blocker> blockers(PendingWorkload workload) {
    for (PodSetRequest podSet : workload.podSets()) {
      for (ResourceGroup group : queue.groups()) {
        List<Blocker> found = blockers(workload, podSet, group);
        if (!found.isEmpty()) {
          return found;
        }
      }
    }
    return List.of();
  }

  private List<Blocker> blockers(
      PendingWorkload workload, PodSetRequest podSet, ResourceGroup group) {
    var found = new ArrayList<Blocker>();
    for (ResourceGroup.FlavorQuotas flavor : group.flavors()) {
      if (workload.allows(flavor.name()) && isEligible(podSet, flavor.name())) {
        Optional<Blocker> blocker = blocker(workload, podSet, group, flavor.name());
        if (blocker.isEmpty()) {
          return List.of();
        }
        found.add(blocker.get());
      }
    }
    return found;
  }

  private boolean isEligible(PodSetRequest podSet, String flavor) {
    return ledger
        .flavor(flavor)
        .filter(spec -> FlavorMatch.obstacle(podSet.needs(), spec).isEmpty())
        .isPresent();
  }

  private Optional<Blocker> blocker(
      PendingWorkload workload, PodSetRequest podSet, ResourceGroup group, String flavor) {
    for (String resource : group.coveredResources()) {
      var needed = new FlavorResource(flavor, resource);
      long held = workload.replaces().map(slice -> slice.usage().get(needed)).orElse(0L);
      long asked =
          resource.equals("pods")
              ? podSet.least()
              : podSet.withCount(podSet.least()).total().get(resource);
      long least = Amounts.difference(asked, held);
      if (least > room(needed).most(workload.priority())) {
        return Optional.of(new Blocker(room(needed), least));
      }
    }
    return Optional.empty();
  }
}
