package dev.sluice.controllers.queueing.integration.pod;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.model.core.pod.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Whether a pod uses quota: it may run, or runs. A pod that is being deleted may run only if it has
 * a node, and until its grace period ends: beyond that, its node can no longer report its end.
 */
record QuotaUse(Configuration configuration, Instant now) {

  boolean holds(Pod pod) {
    if (PodIntegration.isGated(pod) || pod.isTerminal()) {
      return false;
    }
    return !pod.isDeleting()
        || (pod.isBound()
            && !configuration.has(Gate.FAST_QUOTA_RELEASE)
            && graceLeft(pod).isPositive());
  }

  /** The time after which a pod that is being deleted uses no quota any more. */
  Optional<Duration> endsAfter(Pod pod) {
    return Optional.of(graceLeft(pod)).filter(left -> holds(pod) && left.isPositive());
  }

  private Duration graceLeft(Pod pod) {
    return Duration.between(now, pod.object().deleted().orElse(now));
  }
}
