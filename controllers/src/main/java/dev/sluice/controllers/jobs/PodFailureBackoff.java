package dev.sluice.controllers.jobs;

import dev.sluice.model.ExponentialBackoff;
import dev.sluice.model.core.pod.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The backoff of a Job after failed pods: how many failed since one succeeded, and when the last of
 * them did. New pods are delayed for 10 s, doubling with each failure, up to 10 min.
 */
record PodFailureBackoff(long failures, Instant last) {
  static final PodFailureBackoff NONE = new PodFailureBackoff(0, Instant.EPOCH);

  private static final ExponentialBackoff DELAYS =
      new ExponentialBackoff(Duration.ofSeconds(10), Duration.ofMinutes(10));

  /** The backoff after more pods ended. A success resets it; what failed after that counts. */
  PodFailureBackoff after(List<Pod> succeeded, List<FailedPod> failures) {
    if (failures.isEmpty()) {
      return succeeded.isEmpty() ? this : NONE;
    }
    List<Pod> failed = failures.stream().map(FailedPod::pod).toList();
    if (succeeded.isEmpty()) {
      return plus(failed);
    }
    Instant success =
        succeeded.stream().map(Pod::ended).max(Instant::compareTo).orElse(Instant.EPOCH);
    return NONE.plus(failed.stream().filter(pod -> pod.ended().isAfter(success)).toList());
  }

  private PodFailureBackoff plus(List<Pod> failed) {
    Instant latest = failed.stream().map(Pod::ended).max(Instant::compareTo).orElse(last);
    return new PodFailureBackoff(failures + failed.size(), latest);
  }

  /** How much longer new pods must wait. */
  Duration delay(Instant now) {
    if (failures == 0) {
      return Duration.ZERO;
    }
    Duration left = Duration.between(now, last.plus(DELAYS.delay(failures)));
    return left.isNegative() ? Duration.ZERO : left;
  }
}
