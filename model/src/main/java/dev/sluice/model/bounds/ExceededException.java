package dev.sluice.model.bounds;

/** An evaluation was stopped because it did more work than it may. */
public final class ExceededException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ExceededException(long limit) {
    super("it takes more than %d steps".formatted(limit), null, false, false);
  }
}
