package dev.sluice.engine.scheduling;

import dev.sluice.engine.scheduling.cluster.PodFacts;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * A node that would do, and who would have to leave it.
 *
 * @param victims the most important first
 * @param broken how many of them a budget protects
 */
record PreemptionCandidate(String node, List<PodFacts> victims, int broken) {

  /** The node with the least harm comes first; of equals the one that was found first. */
  static final Comparator<PreemptionCandidate> ORDER =
      Comparator.comparingInt(PreemptionCandidate::broken)
          .thenComparingLong(PreemptionCandidate::highestPriority)
          .thenComparingLong(PreemptionCandidate::sumOfPriorities)
          .thenComparingInt(candidate -> candidate.victims().size())
          .thenComparing(PreemptionCandidate::earliestStart, Comparator.reverseOrder());

  private long highestPriority() {
    return victims.getFirst().priority();
  }

  /** Each counts from the lowest priority there is, so that fewer victims are better. */
  private long sumOfPriorities() {
    return victims.stream().mapToLong(pod -> pod.priority() + (1L << 31)).sum();
  }

  /** Of the most important victims; pods that began lately lose least. */
  private Instant earliestStart() {
    return victims.stream()
        .filter(pod -> pod.priority() == highestPriority())
        .map(PodFacts::started)
        .min(Comparator.naturalOrder())
        .orElseThrow();
  }
}
