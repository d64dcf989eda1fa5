package dev.sluice.engine.scheduling.queue;

import dev.sluice.model.ExponentialBackoff;
import dev.sluice.model.GoDuration;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The exponential backoff of a pod after a failure: it doubles each time, up to a limit.
 *
 * <p>Example: 1, 2, 4, 8 and then always 10 s.
 */
public record PodBackoff(Duration first, Duration longest) {
  public static final PodBackoff DEFAULT =
      new PodBackoff(Duration.ofSeconds(1), Duration.ofSeconds(10));

  public PodBackoff {
    if (!first.isPositive() || longest.compareTo(first) < 0) {
      throw new IllegalArgumentException(
          "a pause must be positive and no longer than the longest, but they are %s and %s"
              .formatted(GoDuration.format(first), GoDuration.format(longest)));
    }
  }

  /**
   * The second in which the backoff ends.
   *
   * @param failures how often it failed, at least once
   */
  public Instant end(Instant failed, int failures) {
    Duration pause = new ExponentialBackoff(first, longest).delay(failures);
    return failed.plus(pause).truncatedTo(ChronoUnit.SECONDS);
  }
}
