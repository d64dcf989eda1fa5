package dev.sluice.testkit.contract;

/**
 * A part of the {@link ClusterContract} that a cluster in memory may do without, if it says so. An
 * API server does without none.
 */
public enum Capability {
  /** An object is created only in a namespace that exists. */
  CHECKED_NAMESPACES
}
