package dev.sluice.controllers.queueing;

import dev.sluice.engine.admission.Decision;
import java.time.Instant;

/** Takes note of every decision that changed something, and of promises that were broken. */
public interface DecisionLog {

  void decided(Instant at, Decision decision);

  /** A promise of queueing is broken; only where somebody checks that. */
  default void broken(Instant at, String promise) {}

  /** For worlds in which nobody reads along. */
  DecisionLog NONE = (at, decision) -> {};
}
