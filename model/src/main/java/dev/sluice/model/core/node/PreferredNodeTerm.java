package dev.sluice.model.core.node;

import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Map;

/** One preferred term of a pod's node affinity. */
public record PreferredNodeTerm(long weight, NodeTerm term) {

  public static List<PreferredNodeTerm> of(Tree podSpec) {
    return podSpec
        .trees("affinity", "nodeAffinity", "preferredDuringSchedulingIgnoredDuringExecution")
        .stream()
        .map(preferred ->
            new PreferredNodeTerm(
                preferred.whole("weight").orElse(1), NodeTerm.of(preferred.tree("preference"))))
        .toList();
  }

  /** Whether a node matches; a term without requirements matches no node, as in Kubernetes. */
  public boolean matches(String nodeName, Map<String, String> labels) {
    return term.matches(nodeName, labels);
  }
}
