package dev.sluice.conformance;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits in real time for what a real server does in its own. */
public final class Eventually {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);

  private Eventually() {}

  public static void holds(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("waited " + PATIENCE + " in vain: " + what);
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
  }

  /** What something is once it is as wanted; or what it still is when patience ends. */
  public static <T> T becomes(T want, Supplier<T> look) {
    var last = new AtomicReference<T>(look.get());
    try {
      holds(
          want.toString(),
          () -> {
            last.set(look.get());
            return last.get().equals(want);
          });
    } catch (AssertionError inVain) {
      return last.get();
    }
    return last.get();
  }
}
