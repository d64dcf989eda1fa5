package dev.sluice.store;

import java.nio.file.Path;

/** Opens stores. */
public final class Stores {
  /** How many changes a store remembers by default. */
  public static final int DEFAULT_HISTORY = 100_000;

  private Stores() {}

  /** An empty store that keeps nothing when the process ends. */
  public static Store inMemory() {
    return inMemory(DEFAULT_HISTORY);
  }

  /**
   * @param historyLimit how many changes are remembered; past it the older half is compacted
   */
  public static Store inMemory(int historyLimit) {
    return new MemoryStore(historyLimit);
  }

  /**
   * The durable store in a directory, which is made if it does not exist.
   *
   * @throws UnusableDirectoryException if the directory is in use, damaged, or holds something else
   */
  public static Store open(Path directory) {
    return open(directory, DEFAULT_HISTORY);
  }

  /**
   * The durable store in a directory, which is made if it does not exist.
   *
   * @param historyLimit how many changes are remembered; past it the older half is compacted
   * @throws UnusableDirectoryException if the directory is in use, damaged, or holds something else
   */
  public static Store open(Path directory, int historyLimit) {
    return StoreDirectory.open(directory, historyLimit);
  }
}
