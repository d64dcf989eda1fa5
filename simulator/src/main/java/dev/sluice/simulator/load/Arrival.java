package dev.sluice.simulator.load;

import java.time.Duration;

/**
 * One submission.
 *
 * @param at the time since the start
 * @param what the trace says of the job; {@link TraceJob#UNKNOWN} without a trace
 */
public record Arrival(Duration at, TraceJob what) {}
