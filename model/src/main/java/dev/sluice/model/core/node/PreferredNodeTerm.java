package dev.sluice.model.core.node;

import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Map;

/** A wish of a pod for its node's labels. */
public record PreferredNodeTerm(long weight, NodeTerm term) {

  public static List<PreferredNodeTerm> of(Tree podSpec) {
    return podSpec
        .trees("affinity", "nodeAffinity", "preferredDuringSchedulingIgnoredDuringExecution")
        .stream()
        .map(wish ->
            new PreferredNodeTerm(
                wish.whole("weight").orElse(1), NodeTerm.of(wish.tree("preference"))))
        .toList();
  }

  /** A wish without demands matches no node, as Kubernetes has it. */
  public boolean matches(String nodeName, Map<String, String> labels) {
    return term.matches(nodeName, labels);
  }
}
