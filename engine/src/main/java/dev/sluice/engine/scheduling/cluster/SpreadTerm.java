package dev.sluice.engine.scheduling.cluster;

import dev.sluice.model.LabelRequirement.Operator;
import dev.sluice.model.LabelSelector;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.SpreadConstraint;

/** A topology spread constraint with its selector compiled. */
public record SpreadTerm(SpreadConstraint rule, LabelSelector selector) {
  public static final String HOSTNAME = "kubernetes.io/hostname";

  static SpreadTerm of(Pod owner, SpreadConstraint rule) {
    return new SpreadTerm(
        rule,
        new LabelSelector(rule.selector())
            .and(rule.matchLabelKeys(), Operator.IN, owner.object().labels()));
  }

  public String key() {
    return rule.topologyKey();
  }

  /** Whether a pod counts: a terminating pod does not, and an empty selector selects none. */
  public boolean counts(PodFacts pod, String namespace) {
    return !selector.isEmpty()
        && !pod.terminating()
        && pod.namespace().equals(namespace)
        && selector.matches(pod.labels());
  }

  /** Whether the pods of a node count at all. */
  public boolean includes(NodeFacts node, PodSignature pod) {
    return (!rule.honorsAffinity() || pod.selects(node.name(), node.labels()))
        && (!rule.honorsTaints() || pod.toleratesAll(node.taints()));
  }
}
