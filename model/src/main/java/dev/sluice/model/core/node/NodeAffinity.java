package dev.sluice.model.core.node;

import dev.sluice.model.tree.Tree;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The required node affinity of a pod.
 *
 * @param restricted whether anything is required; if so, one of the terms must match
 */
public record NodeAffinity(boolean restricted, List<NodeTerm> anyOf) {
  public static final NodeAffinity NONE = new NodeAffinity(false, List.of());

  public NodeAffinity {
    anyOf = List.copyOf(anyOf);
  }

  /** Reads the affinity of a pod spec. */
  public static NodeAffinity of(Tree podSpec) {
    Tree required =
        podSpec.tree("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution");
    return required.isEmpty() ? NONE : ofRequired(required);
  }

  /** Reads a selector of nodes. */
  public static NodeAffinity ofRequired(Tree selector) {
    return new NodeAffinity(
        true, selector.trees("nodeSelectorTerms").stream().map(NodeTerm::of).toList());
  }

  /** The names of the only nodes that can match; empty if the terms do not name nodes. */
  public SortedSet<String> nodeNames() {
    var names = new TreeSet<String>();
    for (NodeTerm term : anyOf) {
      SortedSet<String> some = term.nodeNames();
      if (some.isEmpty()) {
        return Collections.emptySortedSet();
      }
      names.addAll(some);
    }
    return Collections.unmodifiableSortedSet(names);
  }

  public boolean matches(String nodeName, Map<String, String> labels) {
    for (NodeTerm term : anyOf) {
      if (term.matches(nodeName, labels)) {
        return true;
      }
    }
    return !restricted;
  }
}
