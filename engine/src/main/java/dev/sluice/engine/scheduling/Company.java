package dev.sluice.engine.scheduling;

import dev.sluice.model.core.Pod;
import dev.sluice.model.core.PodSpec;
import java.util.List;

/** What a pod asks of the pods around it; most pods ask for nothing. */
record Company(
    List<PodTerm> affinity,
    List<PodTerm> antiAffinity,
    List<PodTerm> preferredAffinity,
    List<PodTerm> preferredAntiAffinity,
    List<SpreadTerm> spread) {
  static final Company NONE = new Company(List.of(), List.of(), List.of(), List.of(), List.of());

  static Company of(Pod pod) {
    PodSpec spec = pod.spec();
    if (!spec.tree().has("affinity") && !spec.tree().has("topologySpreadConstraints")) {
      return NONE;
    }
    var company =
        new Company(
            PodTerm.of(pod, spec.requiredAffinity()),
            PodTerm.of(pod, spec.requiredAntiAffinity()),
            PodTerm.of(pod, spec.preferredAffinity()),
            PodTerm.of(pod, spec.preferredAntiAffinity()),
            spec.spreadConstraints().stream().map(one -> SpreadTerm.of(pod, one)).toList());
    return company.equals(NONE) ? NONE : company;
  }

  boolean isNone() {
    return spread.isEmpty() && !concernsOthers();
  }

  /** Whether pods that come later must ask this one, or are drawn to it. */
  boolean concernsOthers() {
    return !affinity.isEmpty()
        || !antiAffinity.isEmpty()
        || !preferredAffinity.isEmpty()
        || !preferredAntiAffinity.isEmpty();
  }

  boolean prefersCompany() {
    return !preferredAffinity.isEmpty() || !preferredAntiAffinity.isEmpty();
  }
}
