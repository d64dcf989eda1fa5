package dev.sluice.store;

/** The history that was asked for is no longer kept; its message is what Kubernetes says then. */
public final class CompactedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param oldest the oldest revision that can still be asked for
   */
  CompactedException(long requested, long oldest) {
    super("too old resource version: %d (%d)".formatted(requested, oldest));
  }
}
