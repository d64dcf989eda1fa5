package dev.sluice.engine.placement;

import dev.sluice.model.core.NodeRequirement;
import dev.sluice.model.tree.Tree;
import java.util.SortedMap;

/** Kubernetes' label selectors, with {@code matchLabels} and {@code matchExpressions}. */
public final class LabelSelector {
  private LabelSelector() {}

  public static boolean selects(Tree selector, SortedMap<String, String> labels) {
    return selector.texts("matchLabels").entrySet().stream()
            .allMatch(wanted -> wanted.getValue().equals(labels.get(wanted.getKey())))
        && selector.trees("matchExpressions").stream()
            .map(NodeRequirement::of)
            .allMatch(demand -> demand.accepts(labels.get(demand.key())));
  }
}
