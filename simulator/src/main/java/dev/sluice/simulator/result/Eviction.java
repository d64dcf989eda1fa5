package dev.sluice.simulator.result;

import java.time.Duration;

/**
 * One eviction of a workload that had reserved quota.
 *
 * @param workload its namespace and name
 * @param job the namespace and name of its job; empty for a workload without one
 * @param reason such as {@code Preempted} or {@code PodsReadyTimeout}
 * @param cause the finer reason, such as {@code InCohortReclamation}; empty if there is none
 * @param message of the condition Evicted
 */
public record Eviction(
    Duration at,
    String workload,
    String job,
    String clusterQueue,
    String reason,
    String cause,
    String message) {}
