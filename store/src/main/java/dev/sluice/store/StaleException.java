package dev.sluice.store;

import dev.sluice.model.ObjectKey;

/** A write lost: the object is not at the revision the writer saw. */
public final class StaleException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param actual the revision the object is at; 0 if it does not exist
   */
  public StaleException(ObjectKey key, long expected, long actual) {
    super("%s is at revision %d, not %d".formatted(key, actual, expected), null, false, false);
  }
}
