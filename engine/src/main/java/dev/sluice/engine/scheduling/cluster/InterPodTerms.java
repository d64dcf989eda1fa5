package dev.sluice.engine.scheduling.cluster;

import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodSpec;
import java.util.List;

/**
 * What a pod asks of the pods around it; most pods ask for nothing.
 *
 * @param owner who owns it, if pods of that owner are spread although they do not ask for it
 */
public record InterPodTerms(
    List<PodTerm> affinity,
    List<PodTerm> antiAffinity,
    List<PodTerm> preferredAffinity,
    List<PodTerm> preferredAntiAffinity,
    List<SpreadTerm> spread,
    ObjectKey owner) {
  static final InterPodTerms NONE =
      new InterPodTerms(
          List.of(), List.of(), List.of(), List.of(), List.of(), SpreadDefaults.NOBODY);

  static InterPodTerms of(Pod pod) {
    PodSpec spec = pod.spec();
    ObjectKey owner = SpreadDefaults.owner(pod);
    boolean silent = !spec.tree().has("affinity") && !spec.tree().has("topologySpreadConstraints");
    if (silent && owner.equals(SpreadDefaults.NOBODY)) {
      return NONE;
    }
    var company =
        new InterPodTerms(
            PodTerm.of(pod, spec.requiredAffinity()),
            PodTerm.of(pod, spec.requiredAntiAffinity()),
            PodTerm.of(pod, spec.preferredAffinity()),
            PodTerm.of(pod, spec.preferredAntiAffinity()),
            spec.spreadConstraints().stream().map(one -> SpreadTerm.of(pod, one)).toList(),
            owner);
    return company.equals(NONE) ? NONE : company;
  }

  public boolean isNone() {
    return spread.isEmpty() && !concernsOthers();
  }

  /** Whether pods that come later must ask this one, or are drawn to it. */
  boolean concernsOthers() {
    return !affinity.isEmpty()
        || !antiAffinity.isEmpty()
        || !preferredAffinity.isEmpty()
        || !preferredAntiAffinity.isEmpty();
  }

  public boolean prefersCompany() {
    return !preferredAffinity.isEmpty() || !preferredAntiAffinity.isEmpty();
  }
}
