package dev.sluice.controllers.queueing.lifecycle;

import dev.sluice.model.ExponentialBackoff;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The backoff of a workload before its next attempt: it doubles each time up to a limit, plus up to
 * a ten-thousandth at random, so that workloads evicted together are not requeued together.
 */
public final class RequeueBackoff {
  private static final long JITTER = 10_000;

  private RequeueBackoff() {}

  /**
   * @param attempt the first is 1
   */
  public static Duration wait(int attempt, Duration base, Duration max, RandomGenerator random) {
    Duration wait = new ExponentialBackoff(base, max).delay(attempt);
    return wait.plusNanos(random.nextLong(wait.toNanos() / JITTER + 1));
  }
}
