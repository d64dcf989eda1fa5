package dev.sluice.engine.scheduling;

import dev.sluice.engine.scheduling.cluster.PodFacts;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * A node on which preemption would help, with the victims there.
 *
 * @param victims the most important first
 * @param broken how many of them violate a PodDisruptionBudget
 */
record PreemptionCandidate(String node, List<PodFacts> victims, int broken) {

  /** The node with the least harm comes first; among equals the one that was found first. */
  static final Comparator<PreemptionCandidate> ORDER =
      Comparator.comparingInt(PreemptionCandidate::broken)
          .thenComparingLong(PreemptionCandidate::highestPriority)
          .thenComparingLong(PreemptionCandidate::sumOfPriorities)
          .thenComparingInt(candidate -> candidate.victims().size())
          .thenComparing(PreemptionCandidate::earliestStart, Comparator.reverseOrder());

  private long highestPriority() {
    return victims.getFirst().priority();
  }

  /** Priorities count from the lowest possible one, so that fewer victims are better. */
  private long sumOfPriorities() {
    return victims.stream().mapToLong(pod -> pod.priority() + (1L << 31)).sum();
  }

  /**
   * The earliest start of the most important victims; pods that started last lose the least work.
   */
  private Instant earliestStart() {
    return victims.stream()
        .filter(pod -> pod.priority() == highestPriority())
        .map(PodFacts::started)
        .min(Comparator.naturalOrder())
        .orElseThrow();
  }
}
