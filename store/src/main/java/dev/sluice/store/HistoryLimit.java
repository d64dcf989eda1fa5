package dev.sluice.store;

/**
 * How much history is kept before the older half is to be forgotten.
 *
 * @param changes how many changes
 * @param bytes how much JSON these wrote, since a few large objects take more than many small ones
 */
record HistoryLimit(int changes, long bytes) {
  private static final long MAX_BYTES = 256L << 20;

  HistoryLimit {
    if (changes < 1) {
      throw new IllegalArgumentException(
          "a store cannot keep %d changes; the least is 1".formatted(changes));
    }
  }

  static HistoryLimit of(int changes) {
    return new HistoryLimit(changes, MAX_BYTES);
  }
}
