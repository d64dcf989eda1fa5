package dev.sluice.model.kueue;

import dev.sluice.model.Amounts;
import dev.sluice.model.Condition;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;

/** How a ClusterQueue or a LocalQueue stands. */
public record QueueStatus(Tree tree) {

  /**
   * What is taken of one flavor.
   *
   * @param amounts by resource, zeros included
   */
  public record FlavorUse(String flavor, SortedMap<String, Long> amounts) {

    private Tree tree() {
      List<Tree> resources =
          amounts.entrySet().stream()
              .map(taken ->
                  Tree.of(
                      "name",
                      taken.getKey(),
                      "total",
                      Amounts.quantity(taken.getKey(), taken.getValue()).toString()))
              .toList();
      return Tree.of("name", flavor, "resources", resources);
    }
  }

  public long pending() {
    return tree.whole("pendingWorkloads").orElse(0);
  }

  public long admitted() {
    return tree.whole("admittedWorkloads").orElse(0);
  }

  /** How much admitted workloads take of a resource in a flavor, as people write it. */
  public String used(String flavor, String resource) {
    return tree.trees("flavorsUsage").stream()
        .filter(use -> use.text("name").equals(flavor))
        .flatMap(use -> use.trees("resources").stream())
        .filter(use -> use.text("name").equals(resource))
        .map(use -> use.text("total"))
        .findFirst()
        .orElse("0");
  }

  public QueueStatus withWorkloads(long pending, long reserving, long admitted) {
    return new QueueStatus(
        tree.with("pendingWorkloads", pending)
            .with("reservingWorkloads", reserving)
            .with("admittedWorkloads", admitted));
  }

  /** With what workloads hold, and what those of them hold that are admitted. */
  public QueueStatus withUse(List<FlavorUse> reserved, List<FlavorUse> admitted) {
    return new QueueStatus(
        tree.with("flavorsReservation", items(reserved)).with("flavorsUsage", items(admitted)));
  }

  private static Items items(List<FlavorUse> uses) {
    return Items.of(uses.stream().map(FlavorUse::tree).toList());
  }

  public QueueStatus withCondition(Condition condition, Instant now) {
    return new QueueStatus(condition.in(tree, now));
  }
}
