package dev.sluice.store;

/** The history that was asked for is no longer kept. */
public final class CompactedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long requested;
  private final long oldest;

  public CompactedException(long requested, long oldest) {
    super("too old resource version: %d (%d)".formatted(requested, oldest));
    this.requested = requested;
    this.oldest = oldest;
  }

  public long requested() {
    return requested;
  }

  /** The oldest revision that can still be asked for. */
  public long oldest() {
    return oldest;
  }
}
