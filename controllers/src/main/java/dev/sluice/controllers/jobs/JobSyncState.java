package dev.sluice.controllers.jobs;

import dev.sluice.model.ExponentialBackoff;
import java.time.Duration;
import java.time.Instant;

/**
 * The controller's state of one Job between two syncs. It only delays syncs, so losing it in a
 * restart does no harm.
 *
 * @param uid the uid of the Job, since its name may be used again
 * @param generation the spec that was acted on
 * @param notBefore when to sync again, unless the spec changes
 * @param refusals how many syncs in a row ended with a pod that could not be created
 */
record JobSyncState(
    String uid, long generation, Instant notBefore, int refusals, PodFailureBackoff streak) {
  /** How long changes of pods are batched. */
  static final Duration PAUSE = Duration.ofSeconds(1);

  private static final ExponentialBackoff DELAYS =
      new ExponentialBackoff(PAUSE, Duration.ofMinutes(1));

  /** The delay after so many refusals in a row: 1 s, doubling up to a minute. */
  static Duration pause(int refusals) {
    return DELAYS.delay(Math.max(refusals, 1));
  }
}
