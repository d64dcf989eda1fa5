package dev.sluice.controllers.jobs;

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

  private static final int MAX_DOUBLINGS = 6;
  private static final Duration MAX_PAUSE = Duration.ofMinutes(1);

  /** The delay after so many refusals in a row: 1 s, doubling up to a minute. */
  static Duration pause(int refusals) {
    Duration pause = PAUSE.multipliedBy(1L << Math.min(Math.max(refusals - 1, 0), MAX_DOUBLINGS));
    return pause.compareTo(MAX_PAUSE) < 0 ? pause : MAX_PAUSE;
  }
}
