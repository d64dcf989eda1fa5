package dev.sluice.controllers.scheduling;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A sampler that takes the first of every ten: measuring each would slow down what is done for
 * every pod.
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
