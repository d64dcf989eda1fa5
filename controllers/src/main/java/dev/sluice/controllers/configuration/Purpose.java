package dev.sluice.controllers.configuration;

/** What a Configuration is read for: not every setting of one has something to act on there. */
public enum Purpose {
  /** A manager of a real cluster, which acts on all of them. */
  MANAGER,
  /** A control plane of our own, whose API server listens, measures and leads by itself. */
  CONTROL_PLANE,
  /** A simulation, which is asked by nobody. */
  SIMULATION
}
