package dev.sluice.controllers.scheduling;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Chooses the first of ten, and then every tenth: what is done for every pod would take longer if
 * it were measured each time.
 *
 * <p>Threads: safe.
 */
final class Samples {
  private static final int ONE_OF = 10;

  private final AtomicInteger seen = new AtomicInteger();

  boolean next() {
    return seen.getAndIncrement() % ONE_OF == 0;
  }
}
