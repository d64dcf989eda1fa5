package dev.sluice.controllers.queueing.integration;

/** A job says one thing and what it was given another; trying again cannot help. */
final class PodSetConflict extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PodSetConflict(String message) {
    super(message);
  }
}
