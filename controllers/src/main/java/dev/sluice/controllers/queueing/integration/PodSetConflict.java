package dev.sluice.controllers.queueing.integration;

/** A conflict between a job's pod template and its admission, which a retry cannot solve. */
final class PodSetConflict extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PodSetConflict(String message) {
    super(message);
  }
}
