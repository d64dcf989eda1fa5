package dev.sluice.machine;

/** A process cannot be started as it was asked for; the message says why. */
final class CannotStartException extends Exception {
  private static final long serialVersionUID = 1L;

  CannotStartException(String message) {
    super(message);
  }
}
