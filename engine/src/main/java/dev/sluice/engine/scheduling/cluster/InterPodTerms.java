package dev.sluice.engine.scheduling.cluster;

import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodSpec;
import java.util.List;

/**
 * The inter-pod terms of a pod: affinity, anti-affinity and topology spread; most pods have none.
 *
 * @param owner its controller, if pods of such controllers are spread by default
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
          List.of(), List.of(), List.of(), List.of(), List.of(), SpreadDefaults.NO_OWNER);

  static InterPodTerms of(Pod pod) {
    PodSpec spec = pod.spec();
    ObjectKey owner = SpreadDefaults.owner(pod);
    boolean silent = !spec.tree().has("affinity") && !spec.tree().has("topologySpreadConstraints");
    if (silent && owner.equals(SpreadDefaults.NO_OWNER)) {
      return NONE;
    }
    var terms =
        new InterPodTerms(
            PodTerm.of(pod, spec.requiredAffinity()),
            PodTerm.of(pod, spec.requiredAntiAffinity()),
            PodTerm.of(pod, spec.preferredAffinity()),
            PodTerm.of(pod, spec.preferredAntiAffinity()),
            spec.spreadConstraints().stream()
                .map(constraint -> SpreadTerm.of(pod, constraint))
                .toList(),
            owner);
    return terms.equals(NONE) ? NONE : terms;
  }

  public boolean isNone() {
    return spread.isEmpty() && !concernsOthers();
  }

  /** Whether later pods are attracted or repelled by this one. */
  boolean concernsOthers() {
    return !affinity.isEmpty()
        || !antiAffinity.isEmpty()
        || !preferredAffinity.isEmpty()
        || !preferredAntiAffinity.isEmpty();
  }

  public boolean hasPreferences() {
    return !preferredAffinity.isEmpty() || !preferredAntiAffinity.isEmpty();
  }
}
