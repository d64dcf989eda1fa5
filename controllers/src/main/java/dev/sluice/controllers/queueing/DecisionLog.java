package dev.sluice.controllers.queueing;

import dev.sluice.engine.admission.cycle.AdmissionDecision;
import java.time.Instant;
import java.util.List;

/** Takes note of every decision that changed something, and of promises that were broken. */
public interface DecisionLog {

  void decided(Instant at, AdmissionDecision decision);

  /** A promise of queueing is broken; only where somebody checks that. */
  default void broken(Instant at, String promise) {}

  /** One look at all queues is over, and what it decided is written. */
  default void attempted(Instant began, Instant ended, List<AdmissionDecision> decisions) {}

  /** Both take note. */
  default DecisionLog and(DecisionLog other) {
    DecisionLog self = this;
    return new DecisionLog() {
      @Override
      public void decided(Instant at, AdmissionDecision decision) {
        self.decided(at, decision);
        other.decided(at, decision);
      }

      @Override
      public void broken(Instant at, String promise) {
        self.broken(at, promise);
        other.broken(at, promise);
      }

      @Override
      public void attempted(Instant began, Instant ended, List<AdmissionDecision> decisions) {
        self.attempted(began, ended, decisions);
        other.attempted(began, ended, decisions);
      }
    };
  }

  /** For worlds in which nobody reads along. */
  DecisionLog NONE = (at, decision) -> {};
}
