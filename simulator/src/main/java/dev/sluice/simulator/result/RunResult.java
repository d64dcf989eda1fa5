package dev.sluice.simulator.result;

import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What one run did: one variant of a scenario with one seed. The same variant and seed give an
 * equal result, and nothing of it depends on the machine. All times are durations since {@link
 * #start}.
 *
 * @param elapsed the virtual time that the run took
 * @param jobs in the order of their submission
 * @param evictions in the order in which they happened
 * @param reservations the reserved quota by ClusterQueue and flavor
 * @param allocations what bound pods request, by node pool
 * @param capacities what the nodes offer, by node pool
 * @param depths the pending workloads, by ClusterQueue
 * @param schedulingLatencies from the creation of a pod until it is bound, in the order of binding
 * @param waste what was allocated in vain
 * @param writes the number of writes by client
 * @param decisions one line per decision, in order
 * @param refusals the later steps of the scenario that the API rejected, and why
 * @param broken the invariants of queueing that were violated, if they were checked
 */
public record RunResult(
    RunName name,
    Instant start,
    Duration elapsed,
    List<JobResult> jobs,
    List<Eviction> evictions,
    List<QuotaSeries> reservations,
    List<PoolSeries> allocations,
    List<PoolSeries> capacities,
    List<DepthSeries> depths,
    List<Duration> schedulingLatencies,
    ResourceTime waste,
    SortedMap<String, Long> writes,
    List<Tree> decisions,
    List<String> refusals,
    List<String> broken) {

  public RunResult {
    jobs = List.copyOf(jobs);
    evictions = List.copyOf(evictions);
    reservations = List.copyOf(reservations);
    allocations = List.copyOf(allocations);
    capacities = List.copyOf(capacities);
    depths = List.copyOf(depths);
    schedulingLatencies = List.copyOf(schedulingLatencies);
    writes = Collections.unmodifiableSortedMap(new TreeMap<>(writes));
    decisions = List.copyOf(decisions);
    refusals = List.copyOf(refusals);
    broken = List.copyOf(broken);
  }

  /**
   * The run's place among those of its scenario.
   *
   * @param variant empty for the scenario as it is
   */
  public record RunName(String scenario, String variant, long seed) {}

  /** The reserved amount of one resource in one flavor by the workloads of one ClusterQueue. */
  public record QuotaSeries(
      String clusterQueue, String flavor, String resource, StepSeries amounts) {}

  /**
   * The amount of one resource on the nodes of one pool.
   *
   * @param pool empty for nodes without a pool
   */
  public record PoolSeries(String pool, String resource, StepSeries amounts) {}

  /** The number of pending workloads of one ClusterQueue. */
  public record DepthSeries(String clusterQueue, StepSeries workloads) {}

  /** From the first submission until the last job ended; until the run's end if some did not. */
  public Duration makespan() {
    if (jobs.isEmpty()) {
      return Duration.ZERO;
    }
    Duration last = Duration.ZERO;
    for (JobResult job : jobs) {
      Duration end = job.ended().orElse(elapsed);
      last = end.compareTo(last) > 0 ? end : last;
    }
    return last.minus(jobs.getFirst().submitted());
  }
}
