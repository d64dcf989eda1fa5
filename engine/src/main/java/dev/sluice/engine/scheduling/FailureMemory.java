package dev.sluice.engine.scheduling;

import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.cluster.PodSignature;
import dev.sluice.engine.scheduling.framework.Placement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Pods of one shape and priority that found no place: as long as nothing changes, the next of them
 * finds none either, for the same reasons.
 */
final class FailureMemory {
  private static final int MOST = 256;

  /** All that a failure depends on, apart from the cluster. */
  private record Alike(PodSignature shape, long priority, boolean preempts) {}

  private final Map<Alike, Placement> failures = new LinkedHashMap<>();
  private long version = -1;

  Optional<Placement> recall(PodFacts pod, long now) {
    if (version != now || !pod.nominatedNode().isEmpty()) {
      return Optional.empty();
    }
    return Optional.ofNullable(failures.get(alike(pod)));
  }

  /** Victims are asked to leave once, for one pod; only plain failures are kept. */
  void remember(PodFacts pod, long now, Placement failure) {
    if (!(failure instanceof Placement.Unschedulable) || !pod.nominatedNode().isEmpty()) {
      return;
    }
    if (version != now || failures.size() >= MOST) {
      failures.clear();
      version = now;
    }
    failures.put(alike(pod), failure);
  }

  private static Alike alike(PodFacts pod) {
    return new Alike(pod.shape(), pod.priority(), pod.preempts());
  }
}
