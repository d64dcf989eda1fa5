package dev.sluice.controllers.nodes.local;

import dev.sluice.model.core.pod.Pod;
import java.time.Instant;
import java.util.Optional;

/**
 * The termination of a pod, whatever its containers are doing.
 *
 * @param deadline when the processes that still run are killed
 * @param reason why, in one word; empty if the pod is deleted
 */
record PodTermination(Instant deadline, String reason, String message) {
  static final String DEADLINE_EXCEEDED = "DeadlineExceeded";

  static Optional<PodTermination> of(Pod pod, Instant now) {
    if (pod.isDeleting()) {
      return pod.object().deleted().map(deadline -> new PodTermination(deadline, "", ""));
    }
    return activeUntil(pod)
        .filter(end -> !end.isAfter(now))
        .map(end ->
            new PodTermination(
                end.plus(pod.spec().terminationGrace()),
                DEADLINE_EXCEEDED,
                "Pod was active on the node longer than the specified deadline"));
  }

  /** When the active deadline of the pod is reached. */
  static Optional<Instant> activeUntil(Pod pod) {
    return pod.spec()
        .activeDeadline()
        .flatMap(length -> pod.status().started().map(start -> start.plus(length)));
  }
}
