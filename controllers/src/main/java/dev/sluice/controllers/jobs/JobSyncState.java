package dev.sluice.controllers.jobs;

import java.time.Duration;
import java.time.Instant;

/**
 * What the controller remembers of a Job between two looks. All of it only slows things down, so a
 * restart that forgets it does no harm.
 *
 * @param uid which Job of that name is meant
 * @param generation the spec that was acted on
 * @param notBefore when to look again, unless the spec changes
 * @param refusals how many looks in a row ended with a pod that could not be created
 */
record JobSyncState(
    String uid, long generation, Instant notBefore, int refusals, PodFailureBackoff streak) {
  /** Changes of pods are taken together for this long. */
  static final Duration PAUSE = Duration.ofSeconds(1);

  private static final int MAX_DOUBLINGS = 6;
  private static final Duration MAX_PAUSE = Duration.ofMinutes(1);

  /** The pause after so many refusals in a row: 1 s, doubling up to a minute. */
  static Duration pause(int refusals) {
    Duration pause = PAUSE.multipliedBy(1L << Math.min(Math.max(refusals - 1, 0), MAX_DOUBLINGS));
    return pause.compareTo(MAX_PAUSE) < 0 ? pause : MAX_PAUSE;
  }
}
