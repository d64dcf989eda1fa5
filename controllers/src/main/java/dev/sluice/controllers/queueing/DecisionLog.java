package dev.sluice.controllers.queueing;

import dev.sluice.engine.admission.Decision;
import java.time.Instant;

/** Takes note of every decision that changed something. */
public interface DecisionLog {

  void decided(Instant at, Decision decision);

  /** For worlds in which nobody reads along. */
  DecisionLog NONE = (at, decision) -> {};
}
