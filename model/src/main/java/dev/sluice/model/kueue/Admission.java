package dev.sluice.model.kueue;

import dev.sluice.model.Amounts;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The admission of a workload: its ClusterQueue and the assigned flavors. */
public record Admission(String clusterQueue, List<Assignment> assignments) {
  public Admission {
    assignments = List.copyOf(assignments);
  }

  static Admission of(Tree tree) {
    return new Admission(
        tree.text("clusterQueue"),
        tree.trees("podSetAssignments").stream().map(Assignment::of).toList());
  }

  public Tree tree() {
    return Tree.of(
        "clusterQueue",
        clusterQueue,
        "podSetAssignments",
        Items.of(assignments.stream().map(Assignment::tree).toList()));
  }

  /** The assignment of a pod set. */
  public Optional<Assignment> of(String podSet) {
    return assignments.stream().filter(one -> one.podSet().equals(podSet)).findFirst();
  }

  /**
   * The assignment of one pod set.
   *
   * @param flavors the flavor of each resource
   * @param usage the usage of all its pods together
   */
  public record Assignment(
      String podSet, int count, SortedMap<String, String> flavors, Amounts usage) {
    public Assignment {
      flavors = Collections.unmodifiableSortedMap(new TreeMap<>(flavors));
    }

    private static Assignment of(Tree tree) {
      return new Assignment(
          tree.has("name") ? tree.text("name") : PodSet.MAIN,
          (int) tree.whole("count").orElse(0),
          tree.texts("flavors"),
          Amounts.of(tree.tree("resourceUsage")));
    }

    private Tree tree() {
      return Tree.of(
          "name", podSet, "count", count, "flavors", flavors, "resourceUsage", usage.tree());
    }
  }
}
