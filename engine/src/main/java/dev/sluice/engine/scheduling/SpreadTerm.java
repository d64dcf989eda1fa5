package dev.sluice.engine.scheduling;

import dev.sluice.model.core.Pod;
import dev.sluice.model.core.SpreadConstraint;

/** One constraint on how pods are spread, with its selector read. */
record SpreadTerm(SpreadConstraint rule, LabelDemand demand) {
  static final String HOSTNAME = "kubernetes.io/hostname";

  static SpreadTerm of(Pod owner, SpreadConstraint rule) {
    return new SpreadTerm(
        rule,
        LabelDemand.of(rule.selector()).and(rule.matchLabelKeys(), "In", owner.object().labels()));
  }

  String key() {
    return rule.topologyKey();
  }

  /** A pod that is asked to end does not count any more, and an empty selector counts nobody. */
  boolean counts(PodFacts pod, String namespace) {
    return !demand.isEmpty()
        && !pod.terminating()
        && pod.namespace().equals(namespace)
        && demand.selects(pod.labels());
  }

  /** Whether the pods of a node count at all. */
  boolean includes(NodeFacts node, PodShape pod) {
    return (!rule.honorsAffinity() || pod.selects(node.name(), node.labels()))
        && (!rule.honorsTaints() || pod.toleratesAll(node.taints()));
  }
}
