package dev.sluice.model.core.pod;

import dev.sluice.model.tree.Tree;
import java.util.List;

/**
 * One term of a pod's affinity to other pods, or of its anti-affinity.
 *
 * @param weight the weight of a preferred term; 1 for a required one
 * @param hasSelector whether it has a label selector: without one it selects no pods
 * @param hasNamespaceSelector whether it also selects namespaces by their labels
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

  /**
   * The required terms of {@code affinity}, which is {@code podAffinity} or {@code
   * podAntiAffinity}.
   */
  static List<PodAffinityTerm> required(Tree podSpec, String affinity) {
    return podSpec
        .trees("affinity", affinity, "requiredDuringSchedulingIgnoredDuringExecution")
        .stream()
        .map(term -> of(1, term))
        .toList();
  }

  /** The preferred terms. */
  static List<PodAffinityTerm> preferred(Tree podSpec, String affinity) {
    return podSpec
        .trees("affinity", affinity, "preferredDuringSchedulingIgnoredDuringExecution")
        .stream()
        .map(weighted -> of(weighted.whole("weight").orElse(1), weighted.tree("podAffinityTerm")))
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
