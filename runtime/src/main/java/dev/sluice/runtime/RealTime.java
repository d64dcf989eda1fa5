package dev.sluice.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The wall clock. Threads: safe; tasks run on one platform thread and must be short. */
public final class RealTime implements TimeSource, AutoCloseable {
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(
          1, Thread.ofPlatform().name("real-time-", 0).daemon(true).factory());

  public RealTime() {
    timer.setRemoveOnCancelPolicy(true);
  }

  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public Subscription after(Duration delay, Runnable task) {
    ScheduledFuture<?> scheduled =
        timer.schedule(task, Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
    return () -> scheduled.cancel(false);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
