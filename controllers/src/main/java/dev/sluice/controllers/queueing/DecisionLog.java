package dev.sluice.controllers.queueing;

import dev.sluice.engine.admission.cycle.AdmissionDecision;
import java.time.Instant;
import java.util.List;

/** A listener for every admission decision that changed something, and for violated invariants. */
public interface DecisionLog {

  void decided(Instant at, AdmissionDecision decision);

  /** An invariant of queueing is violated; only called where invariants are checked. */
  default void broken(Instant at, String invariant) {}

  /** An admission cycle is over, and its decisions are written. */
  default void attempted(Instant began, Instant ended, List<AdmissionDecision> decisions) {}

  /** A log that notifies both. */
  default DecisionLog and(DecisionLog other) {
    DecisionLog self = this;
    return new DecisionLog() {
      @Override
      public void decided(Instant at, AdmissionDecision decision) {
        self.decided(at, decision);
        other.decided(at, decision);
      }

      @Override
      public void broken(Instant at, String invariant) {
        self.broken(at, invariant);
        other.broken(at, invariant);
      }

      @Override
      public void attempted(Instant began, Instant ended, List<AdmissionDecision> decisions) {
        self.attempted(began, ended, decisions);
        other.attempted(began, ended, decisions);
      }
    };
  }

  /** The log of worlds without a reader. */
  DecisionLog NONE = (at, decision) -> {};
}
