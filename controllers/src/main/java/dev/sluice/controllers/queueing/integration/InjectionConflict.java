package dev.sluice.controllers.queueing.integration;

/** A job says one thing and what it was given another; trying again cannot help. */
final class InjectionConflict extends RuntimeException {
  private static final long serialVersionUID = 1L;

  InjectionConflict(String message) {
    super(message);
  }
}
