package dev.sluice.engine.scheduling.cluster;

import dev.sluice.model.LabelRequirement.Operator;
import dev.sluice.model.LabelSelector;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodAffinityTerm;
import java.util.List;
import java.util.SortedMap;

/**
 * A term of inter-pod affinity or anti-affinity, with its selectors compiled.
 *
 * @param weight the weight of a preferred term; 1 for a required one
 * @param selectsPods whether it has a label selector; without one it selects no pod
 * @param namespaceSelector selects namespaces by their labels, if {@code byLabels}
 */
public record PodTerm(
    long weight,
    String topologyKey,
    boolean selectsPods,
    LabelSelector selector,
    List<String> namespaces,
    boolean byLabels,
    LabelSelector namespaceSelector) {

  static List<PodTerm> of(Pod owner, List<PodAffinityTerm> terms) {
    return terms.isEmpty() ? List.of() : terms.stream().map(term -> of(owner, term)).toList();
  }

  private static PodTerm of(Pod owner, PodAffinityTerm term) {
    SortedMap<String, String> labels = owner.object().labels();
    boolean ownNamespace = term.namespaces().isEmpty() && !term.hasNamespaceSelector();
    return new PodTerm(
        term.weight(),
        term.topologyKey(),
        term.hasSelector(),
        new LabelSelector(term.selector())
            .and(term.matchLabelKeys(), Operator.IN, labels)
            .and(term.mismatchLabelKeys(), Operator.NOT_IN, labels),
        ownNamespace ? List.of(owner.namespace()) : term.namespaces(),
        term.hasNamespaceSelector(),
        new LabelSelector(term.namespaceSelector()));
  }

  public boolean means(PodFacts pod, ClusterState cluster) {
    return selectsPods
        && (namespaces.contains(pod.namespace())
            || (byLabels && namespaceSelector.matches(cluster.namespaceLabels(pod.namespace()))))
        && selector.matches(pod.labels());
  }
}
