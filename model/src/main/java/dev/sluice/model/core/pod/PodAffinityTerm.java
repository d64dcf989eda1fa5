package dev.sluice.model.core.pod;

import dev.sluice.model.tree.Tree;
import java.util.List;

/**
 * One term of a pod's affinity to other pods, or of its anti-affinity.
 *
 * @param weight how much a preference counts; 1 for what is required
 * @param hasSelector whether it selects pods at all: without a selector it selects none
 * @param hasNamespaceSelector whether namespaces are selected by their labels too
 */
public record PodAffinityTerm(
    long weight,
    String topologyKey,
    boolean hasSelector,
    Tree selector,
    List<String> matchLabelKeys,
    List<String> mismatchLabelKeys,
    List<String> namespaces,
    boolean hasNamespaceSelector,
    Tree namespaceSelector) {

  public PodAffinityTerm {
    matchLabelKeys = List.copyOf(matchLabelKeys);
    mismatchLabelKeys = List.copyOf(mismatchLabelKeys);
    namespaces = List.copyOf(namespaces);
  }

  /** The terms that {@code affinity} ({@code podAffinity} or its opposite) requires. */
  static List<PodAffinityTerm> required(Tree podSpec, String affinity) {
    return podSpec
        .trees("affinity", affinity, "requiredDuringSchedulingIgnoredDuringExecution")
        .stream()
        .map(term -> of(1, term))
        .toList();
  }

  /** The terms that it prefers. */
  static List<PodAffinityTerm> preferred(Tree podSpec, String affinity) {
    return podSpec
        .trees("affinity", affinity, "preferredDuringSchedulingIgnoredDuringExecution")
        .stream()
        .map(wish -> of(wish.whole("weight").orElse(1), wish.tree("podAffinityTerm")))
        .toList();
  }

  private static PodAffinityTerm of(long weight, Tree term) {
    return new PodAffinityTerm(
        weight,
        term.text("topologyKey"),
        term.has("labelSelector"),
        term.tree("labelSelector"),
        term.textItems("matchLabelKeys"),
        term.textItems("mismatchLabelKeys"),
        term.textItems("namespaces"),
        term.has("namespaceSelector"),
        term.tree("namespaceSelector"));
  }
}
