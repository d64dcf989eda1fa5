package dev.sluice.model;

import java.time.Duration;

/**
 * Delays that double with each failure in a row, up to a maximum.
 *
 * <p>Example: with 1 s and 10 s the delays are 1, 2, 4, 8 and from then on 10 s.
 */
public record ExponentialBackoff(Duration initial, Duration max) {
  public ExponentialBackoff {
    if (initial.isNegative() || max.isNegative()) {
      throw new IllegalArgumentException(
          "a back-off has no negative delays, but they are %s and at most %s"
              .formatted(GoDuration.format(initial), GoDuration.format(max)));
    }
  }

  /**
   * The delay after a failure.
   *
   * @param failure which of those in a row; the first is 1
   */
  public Duration delay(long failure) {
    if (failure < 1) {
      throw new IllegalArgumentException("the first failure is 1, so there is no " + failure);
    }
    Duration delay = initial;
    for (long i = 1; i < failure && delay.isPositive() && delay.compareTo(max) < 0; i++) {
      boolean exceeds = delay.compareTo(max.minus(delay)) > 0;
      delay = exceeds ? max : delay.plus(delay);
    }
    return delay.compareTo(max) < 0 ? delay : max;
  }
}
