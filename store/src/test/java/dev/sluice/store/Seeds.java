package dev.sluice.store;

import java.util.function.LongConsumer;

/** Runs a random test with many seeds, or with the one that {@code -Dseed=} names. */
final class Seeds {
  private Seeds() {}

  static void run(int rounds, LongConsumer test) {
    Long chosen = Long.getLong("seed");
    long first = chosen == null ? System.nanoTime() : chosen;
    System.out.println("random tests from seed " + first);
    for (long seed = first; seed < first + (chosen == null ? rounds : 1); seed++) {
      try {
        test.accept(seed);
      } catch (RuntimeException | AssertionError failed) {
        System.out.println("failed; replay it with -Dseed=" + seed);
        throw new AssertionError("with -Dseed=" + seed, failed);
      }
    }
  }
}
