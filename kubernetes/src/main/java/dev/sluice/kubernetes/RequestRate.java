package dev.sluice.kubernetes;

import dev.sluice.runtime.TimeSource;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Lets requests through at a rate, and some of them at once after a pause.
 *
 * <p>Threads: safe; a caller that is too fast waits.
 */
public final class RequestRate {
  private static final BigDecimal SECOND = BigDecimal.valueOf(Duration.ofSeconds(1).toNanos());

  private final long nanosForOne;
  private final long nanosForBurst;
  private final LongSupplier nanoClock;
  private final ReentrantLock lock = new ReentrantLock();
  private long usedUpTo;

  /**
   * @param perSecond more than zero
   * @param burst how many may come at once, at least one
   */
  public RequestRate(BigDecimal perSecond, int burst) {
    this(perSecond, burst, System::nanoTime);
  }

  RequestRate(BigDecimal perSecond, int burst, LongSupplier nanoClock) {
    this.nanosForOne = SECOND.divide(perSecond, 0, RoundingMode.CEILING).longValueExact();
    this.nanosForBurst = Math.multiplyExact(nanosForOne, burst);
    this.nanoClock = nanoClock;
    this.usedUpTo = nanoClock.getAsLong() - nanosForBurst;
  }

  /** Waits until it is the caller's turn. */
  void await(TimeSource time) throws InterruptedException {
    Duration wait = take();
    if (!wait.isZero()) {
      var turn = new Semaphore(0);
      try (var _ = time.after(wait, turn::release)) {
        turn.acquire();
      }
    }
  }

  /** Counts one request, and says how long it has to wait. */
  Duration take() {
    lock.lock();
    try {
      long now = nanoClock.getAsLong();
      // What was not used for longer than a burst is lost.
      long from = Math.max(usedUpTo - now, -nanosForBurst);
      usedUpTo = now + from + nanosForOne;
      return Duration.ofNanos(Math.max(0, from + nanosForOne));
    } finally {
      lock.unlock();
    }
  }
}
