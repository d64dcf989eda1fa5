package dev.sluice.controllers.configuration;

/** The command that reads a Configuration; not every setting has an effect in each. */
public enum Purpose {
  /** A manager of a real cluster, where all settings have an effect. */
  MANAGER,
  /**
   * An embedded control plane, whose API server has its own address and metrics, and which needs no
   * leader election.
   */
  CONTROL_PLANE,
  /** A simulation, which has no servers and no metrics. */
  SIMULATION
}
