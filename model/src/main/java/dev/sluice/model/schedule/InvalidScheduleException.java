package dev.sluice.model.schedule;

/** A text is no schedule; the message says why. */
public final class InvalidScheduleException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  InvalidScheduleException(String message) {
    super(message);
  }
}
