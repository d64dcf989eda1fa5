package dev.sluice.store;

import org.jspecify.annotations.Nullable;

/** The store takes no more writes, because it was closed or because its disk failed. */
public final class StoppedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StoppedException(String message) {
    super(message);
  }

  StoppedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
