package dev.sluice.model.kueue;

import dev.sluice.model.Amounts;
import dev.sluice.model.Condition;
import dev.sluice.model.Quantity;
import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** The status of a ClusterQueue or a LocalQueue. */
public record QueueStatus(Tree tree) {

  /**
   * The usage of one flavor.
   *
   * @param amounts by resource, zeros included
   * @param borrowed the borrowed part, by resource; none for a LocalQueue, which has no quota
   */
  public record FlavorUse(
      String flavor, SortedMap<String, Long> amounts, SortedMap<String, Long> borrowed) {
    public FlavorUse {
      amounts = Collections.unmodifiableSortedMap(new TreeMap<>(amounts));
      borrowed = Collections.unmodifiableSortedMap(new TreeMap<>(borrowed));
    }

    /** The usage of a LocalQueue. */
    public FlavorUse(String flavor, SortedMap<String, Long> amounts) {
      this(flavor, amounts, Collections.emptySortedMap());
    }

    private Tree tree() {
      var resources = new ArrayList<Tree>();
      amounts.forEach((resource, amount) -> {
        Tree use = Tree.of("name", resource, "total", quantity(resource, amount));
        Long part = borrowed.get(resource);
        resources.add(part == null ? use : use.with("borrowed", quantity(resource, part)));
      });
      return Tree.of("name", flavor, "resources", resources);
    }

    private static String quantity(String resource, long amount) {
      return Amounts.quantity(resource, amount).toString();
    }
  }

  public long pending() {
    return tree.whole("pendingWorkloads").orElse(0);
  }

  public long admitted() {
    return tree.whole("admittedWorkloads").orElse(0);
  }

  /** The usage of a resource in a flavor by admitted workloads, as a quantity. */
  public String used(String flavor, String resource) {
    return use(flavor, resource, "total");
  }

  /** The borrowed part of the usage, as a quantity. */
  public String borrowed(String flavor, String resource) {
    return use(flavor, resource, "borrowed");
  }

  private String use(String flavor, String resource, String field) {
    return tree.trees("flavorsUsage").stream()
        .filter(use -> use.text("name").equals(flavor))
        .flatMap(use -> use.trees("resources").stream())
        .filter(use -> use.text("name").equals(resource))
        .map(use -> Quantity.of(use.at(field)).toString())
        .findFirst()
        .orElse("0");
  }

  /** The weighted share, if fair sharing is enabled. */
  public OptionalLong weightedShare() {
    return tree.whole("fairSharing", "weightedShare");
  }

  public QueueStatus withWeightedShare(long share) {
    return new QueueStatus(tree.with(List.of("fairSharing", "weightedShare"), share));
  }

  /** The past usage of a LocalQueue's workloads, which decays with time. */
  public SortedMap<String, Quantity> consumedResources() {
    var consumed = new TreeMap<String, Quantity>();
    tree.tree("fairSharing", "admissionFairSharingStatus", "consumedResources")
        .forEach((resource, amount) -> consumed.put(resource, Quantity.of(amount)));
    return Collections.unmodifiableSortedMap(consumed);
  }

  /** The time at which {@link #consumedResources} was updated. */
  public Optional<Instant> consumptionUpdated() {
    return Timestamps.parse(tree.text("fairSharing", "admissionFairSharingStatus", "lastUpdate"));
  }

  /**
   * With the consumed resources, and the weighted share that the schema requires: it is always 0
   * for a LocalQueue.
   */
  public QueueStatus withConsumedResources(SortedMap<String, Quantity> consumed, Instant now) {
    var amounts = new TreeMap<String, String>();
    consumed.forEach((resource, amount) -> amounts.put(resource, amount.toString()));
    Tree usage = Tree.of("consumedResources", amounts, "lastUpdate", Timestamps.format(now));
    return new QueueStatus(
        tree.with("fairSharing", Tree.of("weightedShare", 0, "admissionFairSharingStatus", usage)));
  }

  /** Without the status of fair sharing. */
  public QueueStatus withoutFairSharing() {
    return new QueueStatus(tree.without("fairSharing"));
  }

  public QueueStatus withWorkloads(long pending, long reserving, long admitted) {
    return new QueueStatus(
        tree.with("pendingWorkloads", pending)
            .with("reservingWorkloads", reserving)
            .with("admittedWorkloads", admitted));
  }

  /** With the usage of workloads that have reserved quota, and of those that are admitted. */
  public QueueStatus withUse(List<FlavorUse> reserved, List<FlavorUse> admitted) {
    return new QueueStatus(
        tree.with("flavorsReservation", items(reserved)).with("flavorsUsage", items(admitted)));
  }

  private static Items items(List<FlavorUse> uses) {
    return Items.of(uses.stream().map(FlavorUse::tree).toList());
  }

  /**
   * With a condition for a generation of the queue, which is updated even if the condition is
   * unchanged.
   */
  public QueueStatus withCondition(Condition condition, Instant now, long generation) {
    Tree changed = condition.in(tree, now);
    List<Tree> conditions =
        changed.trees("conditions").stream()
            .map(one ->
                one.text("type").equals(condition.type())
                    ? one.with("observedGeneration", generation)
                    : one)
            .toList();
    return new QueueStatus(changed.with("conditions", Items.of(conditions)));
  }
}
