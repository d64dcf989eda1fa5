package dev.sluice.engine.quota;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The tree of all ClusterQueues and cohorts, with their quotas and usage.
 *
 * <p>Goal: know in a few steps what fits where. Constraints: borrowing and lending limits at every
 * level; cohorts that exist only because a queue or cohort names them; cycles among parents.
 * Method: one {@link QuotaCell} for every flavor and resource at every node, linked upwards; adding
 * and removing usage walks one path. Usage depends only on what was added and removed, not on the
 * order, so a change on trial is undone by its opposite.
 *
 * <p>Cohorts whose parents form a cycle have no place in the tree: their queues have no parent and
 * are {@link #isAdrift adrift} until the cycle is broken.
 *
 * <p>Threads: one owner.
 */
public final class QuotaTree {
  private final SortedMap<String, QuotaNode> cohorts = new TreeMap<>();
  private final SortedMap<String, QuotaNode> queues = new TreeMap<>();
  private final Map<String, QuotaNode> byName = new LinkedHashMap<>();
  private final Set<String> adrift = new LinkedHashSet<>();

  public static QuotaTree of(Collection<QuotaSpec> queues, Collection<QuotaSpec> cohorts) {
    var tree = new QuotaTree();
    var specs = new TreeMap<String, QuotaSpec>();
    cohorts.forEach(cohort -> specs.put(cohort.name(), cohort));
    new TreeMap<>(specs).keySet().forEach(name -> tree.cohort(name, specs, new LinkedHashSet<>()));
    var sorted = new TreeMap<String, QuotaSpec>();
    queues.forEach(queue -> sorted.put(queue.name(), queue));
    sorted.values().forEach(queue -> tree.addQueue(queue, specs));
    tree.addUp();
    return tree;
  }

  private void addQueue(QuotaSpec queue, Map<String, QuotaSpec> specs) {
    QuotaNode parent =
        queue.parent().isEmpty() ? null : cohort(queue.parent(), specs, new LinkedHashSet<>());
    if (!queue.parent().isEmpty() && parent == null) {
      adrift.add(queue.name());
    }
    var node = new QuotaNode(queue, true, parent);
    queues.put(queue.name(), node);
    byName.put(queue.name(), node);
  }

  /** The node of a cohort, made with all above it; null if its parents form a cycle. */
  private @Nullable QuotaNode cohort(String name, Map<String, QuotaSpec> specs, Set<String> below) {
    QuotaNode known = cohorts.get(name);
    if (known != null) {
      return known;
    }
    if (!below.add(name)) {
      return null;
    }
    QuotaSpec spec = specs.getOrDefault(name, QuotaSpec.implied(name));
    QuotaNode parent = spec.parent().isEmpty() ? null : cohort(spec.parent(), specs, below);
    if (parent == null && !spec.parent().isEmpty()) {
      return null;
    }
    var node = new QuotaNode(spec, false, parent);
    cohorts.put(name, node);
    return node;
  }

  private void addUp() {
    for (QuotaNode node : roots()) {
      node.open();
      node.settle();
      node.noteLendable();
    }
  }

  private Collection<QuotaNode> roots() {
    var roots = new TreeMap<String, QuotaNode>();
    cohorts.values().stream()
        .filter(node -> node.parent() == null)
        .forEach(node -> roots.put("cohort/" + node.name(), node));
    queues.values().stream()
        .filter(node -> node.parent() == null)
        .forEach(node -> roots.put("queue/" + node.name(), node));
    return roots.values();
  }

  public Optional<QuotaNode> queue(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  public Collection<QuotaNode> queues() {
    return queues.values();
  }

  public Collection<QuotaNode> cohorts() {
    return cohorts.values();
  }

  /** Whether a queue is below cohorts whose parents form a cycle. */
  public boolean isAdrift(String queue) {
    return adrift.contains(queue);
  }
}
