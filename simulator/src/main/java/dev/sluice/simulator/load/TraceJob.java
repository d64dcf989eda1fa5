package dev.sluice.simulator.load;

import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One job of a trace. What the trace does not say is empty, and then as the template says.
 *
 * @param at the time since the start of the trace
 * @param queue the LocalQueue
 * @param owner the user
 * @param requests of each pod
 */
public record TraceJob(
    Duration at,
    Optional<Duration> duration,
    OptionalInt pods,
    String queue,
    String owner,
    String priorityClass,
    SortedMap<String, String> requests) {
  public static final TraceJob UNKNOWN =
      new TraceJob(
          Duration.ZERO, Optional.empty(), OptionalInt.empty(), "", "", "", new TreeMap<>());

  public TraceJob {
    requests = Collections.unmodifiableSortedMap(new TreeMap<>(requests));
  }

  /** The same job, submitted so much earlier. */
  TraceJob earlier(Duration time) {
    return new TraceJob(at.minus(time), duration, pods, queue, owner, priorityClass, requests);
  }
}
