package dev.sluice.controllers.jobs;

import dev.sluice.model.core.Pod;
import java.time.Instant;
import java.util.Comparator;

/** Which of the active pods go first: those of whose work least is lost. */
final class RemovalOrder {

  static final Comparator<Pod> FIRST_TO_GO =
      Comparator.comparing(Pod::isBound)
          .thenComparingInt(RemovalOrder::progress)
          .thenComparing(Pod::isReady)
          .thenComparing(RemovalOrder::readySince, Comparator.reverseOrder())
          .thenComparingLong(pod -> -pod.status().mostRestarts())
          .thenComparingLong(pod -> -pod.status().mostSidecarRestarts(pod.spec()))
          .thenComparing(RemovalOrder::created, Comparator.reverseOrder())
          // Nothing else tells them apart, and the order must not depend on chance.
          .thenComparing(Pod::name);

  private RemovalOrder() {}

  private static int progress(Pod pod) {
    return switch (pod.phase()) {
      case PENDING -> 0;
      case UNKNOWN -> 1;
      case RUNNING -> 2;
      case SUCCEEDED, FAILED -> 3;
    };
  }

  /** Ready for a shorter time goes first, and a missing time before all. */
  private static Instant readySince(Pod pod) {
    return pod.status().readySince().orElse(pod.isReady() ? Instant.MAX : Instant.EPOCH);
  }

  private static Instant created(Pod pod) {
    return pod.object().created().orElse(Instant.MAX);
  }
}
