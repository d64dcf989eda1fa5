package dev.sluice.engine.scheduling;

import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.cluster.PodSignature;
import dev.sluice.engine.scheduling.framework.Placement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The failed attempts for pods of one signature and priority: as long as the cluster does not
 * change, the next equivalent pod fails for the same reasons.
 */
final class FailureMemory {
  private static final int MAX_FAILURES = 256;

  /** The equivalence key: all that a failure depends on, apart from the cluster. */
  private record Alike(PodSignature signature, long priority, boolean preempts) {}

  private final Map<Alike, Placement> failures = new LinkedHashMap<>();
  private long version = -1;

  Optional<Placement> recall(PodFacts pod, long now) {
    if (version != now || !pod.nominatedNode().isEmpty()) {
      return Optional.empty();
    }
    return Optional.ofNullable(failures.get(alike(pod)));
  }

  /** Victims are preempted for one pod only, so only failures without preemption are kept. */
  void remember(PodFacts pod, long now, Placement failure) {
    if (!(failure instanceof Placement.Unschedulable) || !pod.nominatedNode().isEmpty()) {
      return;
    }
    if (version != now || failures.size() >= MAX_FAILURES) {
      failures.clear();
      version = now;
    }
    failures.put(alike(pod), failure);
  }

  private static Alike alike(PodFacts pod) {
    return new Alike(pod.signature(), pod.priority(), pod.preempts());
  }
}
