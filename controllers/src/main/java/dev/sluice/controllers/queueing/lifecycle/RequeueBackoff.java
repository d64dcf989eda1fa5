package dev.sluice.controllers.queueing.lifecycle;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long a workload waits before its next attempt: twice as long each time, up to a limit, and a
 * ten-thousandth at random on top so that workloads evicted together do not return together.
 */
public final class RequeueBackoff {
  private static final long JITTER = 10_000;

  private RequeueBackoff() {}

  /**
   * @param attempt the first is 1
   */
  public static Duration wait(int attempt, Duration base, Duration most, RandomGenerator random) {
    Duration wait = base;
    for (int i = 1; i < attempt && wait.isPositive() && wait.compareTo(most) < 0; i++) {
      wait = wait.multipliedBy(2);
    }
    if (wait.compareTo(most) > 0) {
      wait = most;
    }
    return wait.plusNanos(random.nextLong(wait.toNanos() / JITTER + 1));
  }
}
