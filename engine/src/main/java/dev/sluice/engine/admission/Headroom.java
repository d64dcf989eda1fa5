package dev.sluice.engine.admission;

import dev.sluice.engine.admission.ParkedGroups.Blocker;
import dev.sluice.engine.flavor.FlavorMatch;
import dev.sluice.engine.queue.Ledger;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.PodSetRequest;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.model.Amounts;
import dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy;
import dev.sluice.model.kueue.ResourceGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An upper bound of what a workload of a queue can get now, free or by preemption. It is cheap, and
 * never too low: who asks for more certainly cannot go.
 *
 * <p>Own workloads of a lower priority may give way, if the queue's policy says so. Strangers give
 * back what is the queue's own; in a deeper tree, while borrowing, and with fair sharing they may
 * give more, but never so much that the queue exceeds what it could use if nobody else used
 * anything.
 */
final class Headroom {
  private final Ledger ledger;
  private final QueueSpec queue;
  private final QuotaNode node;
  private final boolean fair;

  Headroom(Ledger ledger, QueueSpec queue, boolean fair) {
    this.ledger = ledger;
    this.queue = queue;
    this.node = ledger.tree().queue(queue.name()).orElseThrow();
    this.fair = fair;
  }

  Room of(FlavorResource one) {
    return new Room(one, Math.max(node.available(one), reclaimable(one)));
  }

  private long reclaimable(FlavorResource of) {
    if (queue.preemption().withinCohort() == PreemptionPolicy.NEVER || node.parent() == null) {
      return 0;
    }
    boolean ownOnly =
        !fair && !queue.preemption().whileBorrowing() && node.parent().parent() == null;
    long most = ownOnly ? node.nominal(of) : node.potentialAvailable(of);
    return Amounts.difference(most, node.usage(of));
  }

  /** What there is of one flavor and resource. */
  final class Room {
    private final FlavorResource of;
    private final long withoutOwn;

    private Room(FlavorResource of, long withoutOwn) {
      this.of = of;
      this.withoutOwn = withoutOwn;
    }

    /** The most that a workload of some priority can get. */
    long most(long priority) {
      long given =
          switch (queue.preemption().withinQueue()) {
            case NEVER -> 0;
            case ANY -> node.usage(of);
            case LOWER_PRIORITY -> ledger.usedBelow(queue.name(), priority, of);
            case LOWER_OR_NEWER_EQUAL_PRIORITY -> ledger.usedBelow(queue.name(), priority + 1, of);
          };
      return Amounts.sum(withoutOwn, given);
    }
  }

  /**
   * What keeps a workload from going: too large an amount in each flavor that one of its pod sets
   * could use for some resource. Empty if there is no such pod set.
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
      boolean suits =
          ledger
              .flavor(flavor.name())
              .filter(spec -> FlavorMatch.obstacle(podSet.needs(), spec).isEmpty())
              .isPresent();
      if (suits) {
        Optional<Blocker> blocker = blocker(workload, podSet, group, flavor.name());
        if (blocker.isEmpty()) {
          return List.of();
        }
        found.add(blocker.get());
      }
    }
    return found;
  }

  private Optional<Blocker> blocker(
      PendingWorkload workload, PodSetRequest podSet, ResourceGroup group, String flavor) {
    for (String resource : group.coveredResources()) {
      var of = new FlavorResource(flavor, resource);
      long held = workload.replaces().map(slice -> slice.usage().get(of)).orElse(0L);
      long asked =
          resource.equals("pods")
              ? podSet.least()
              : podSet.withCount(podSet.least()).total().get(resource);
      long least = Amounts.difference(asked, held);
      if (least > of(of).most(workload.priority())) {
        return Optional.of(new Blocker(of, least));
      }
    }
    return Optional.empty();
  }
}
