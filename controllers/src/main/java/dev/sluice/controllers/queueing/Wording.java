package dev.sluice.controllers.queueing;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.model.Condition;
import dev.sluice.model.kueue.WorkloadStatus;

/** The reasons that conditions give for a workload that is not admitted: a few, or many. */
public enum Wording {
  PLAIN,
  /** With the gate {@code UnadmittedWorkloadsObservability}. */
  FINE;

  public static Wording of(Configuration configuration) {
    return configuration.has(Gate.UNADMITTED_OBSERVABILITY) ? FINE : PLAIN;
  }

  /** Waits for the next look at its queue. */
  public String pending() {
    return this == FINE ? "PendingEvaluation" : "Pending";
  }

  /** Names something that is not there. */
  public String misconfigured() {
    return this == FINE ? "Misconfigured" : "Inadmissible";
  }

  /** Its queue is closed. */
  public String suspended() {
    return this == FINE ? "Suspended" : "Inadmissible";
  }

  /** The condition Admitted of what holds no quota. */
  public Condition withoutReservation(boolean checksReady) {
    return this == FINE || checksReady
        ? new Condition(
            WorkloadStatus.ADMITTED, false, "NoReservation", "The workload has no reservation")
        : new Condition(
            WorkloadStatus.ADMITTED,
            false,
            "NoReservationUnsatisfiedChecks",
            "The workload has no reservation and not all checks ready");
  }
}
