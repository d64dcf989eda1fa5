package dev.sluice.runtime;

import java.time.Duration;
import java.time.Instant;

/** The one way this program learns the time; the simulator's steps, the server's ticks. */
public interface TimeSource {
  Instant now();

  /** Runs {@code task} once {@code delay} has passed on this source, unless closed before. */
  Subscription after(Duration delay, Runnable task);
}
