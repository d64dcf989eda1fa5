package dev.sluice.model.core.node;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The taints of a node, with the time at which they were added. */
public record NodeTaints(ApiObject node) {

  /** The taints with the effect NoExecute. */
  public List<Taint> evicting() {
    return trees().stream()
        .map(Taint::of)
        .filter(taint -> taint.effect().equals(Taint.NO_EXECUTE))
        .toList();
  }

  private List<Tree> trees() {
    return node.spec().trees("taints");
  }

  /** Whether both have the same key and effect: a node has at most one such taint. */
  private static boolean isSame(Taint one, Taint other) {
    return one.key().equals(other.key()) && one.effect().equals(other.effect());
  }

  /** The time at which a taint was added, if it is recorded. */
  public Optional<Instant> since(Taint taint) {
    return trees().stream()
        .filter(tree -> isSame(Taint.of(tree), taint))
        .flatMap(tree -> Timestamps.parse(tree.text("timeAdded")).stream())
        .findFirst();
  }

  /**
   * The node without some taints and with others, which get the current time unless they exist
   * already.
   */
  public ApiObject changed(Predicate<Taint> removed, List<Taint> added, Instant now) {
    var taints = new ArrayList<Tree>(trees());
    taints.removeIf(tree -> removed.test(Taint.of(tree)));
    for (Taint taint : added) {
      boolean there = taints.stream().anyMatch(tree -> isSame(Taint.of(tree), taint));
      if (!there) {
        taints.add(taint.tree().with("timeAdded", Timestamps.format(now)));
      }
    }
    return taints.isEmpty()
        ? node.without(List.of("spec", "taints"))
        : node.with(List.of("spec", "taints"), Items.of(taints));
  }
}
