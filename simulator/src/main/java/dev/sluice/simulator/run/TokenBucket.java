package dev.sluice.simulator.run;

import java.time.Duration;
import java.time.Instant;

/**
 * The limit of a client's writes, as client-go has it: so many at once, and then so many a second.
 * Writes get their turns in the order in which they ask.
 */
final class TokenBucket {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Duration between;
  private final Duration burst;

  /** When the bucket is full again if nothing else is taken. */
  private Instant full = Instant.MIN;

  TokenBucket(double qps, int burst) {
    this.between = Duration.ofNanos((long) (NANOS_PER_SECOND / qps));
    this.burst = between.multipliedBy(burst);
  }

  /** Takes the next token, and returns how long to wait for it. */
  Duration take(Instant now) {
    full = (full.isBefore(now) ? now : full).plus(between);
    Duration wait = Duration.between(now, full).minus(burst);
    return wait.isNegative() ? Duration.ZERO : wait;
  }
}
