package dev.sluice.simulator.report;

import dev.sluice.simulator.result.JobResult;
import dev.sluice.simulator.result.JobResult.State;
import dev.sluice.simulator.result.RunResult;
import dev.sluice.simulator.result.RunResult.PoolSeries;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The figures by which runs are compared.
 *
 * @param waits from submission until all pods of a job had a node, sorted
 * @param utilisation the part of the nodes that was allocated, by resource
 */
record Figures(
    int jobs,
    int succeeded,
    int failed,
    int unfinished,
    List<Duration> waits,
    Duration makespan,
    SortedMap<String, Double> utilisation,
    int preemptions,
    int evictions) {

  static Figures of(RunResult run) {
    return new Figures(
        run.jobs().size(),
        count(run, State.SUCCEEDED),
        count(run, State.FAILED),
        (int) run.jobs().stream().filter(job -> !job.isEnded()).count(),
        run.jobs().stream().flatMap(job -> job.waited().stream()).sorted().toList(),
        run.makespan(),
        utilisation(run),
        run.jobs().stream().mapToInt(JobResult::preemptions).sum(),
        run.evictions().size());
  }

  private static int count(RunResult run, State state) {
    return (int) run.jobs().stream().filter(job -> job.state() == state).count();
  }

  private static SortedMap<String, Double> utilisation(RunResult run) {
    SortedMap<String, Double> offered = overall(run.capacities(), run.elapsed());
    SortedMap<String, Double> used = overall(run.allocations(), run.elapsed());
    var utilisation = new TreeMap<String, Double>();
    used.forEach((resource, amount) -> {
      double most = offered.getOrDefault(resource, 0.0);
      if (most > 0) {
        utilisation.put(resource, amount / most);
      }
    });
    return utilisation;
  }

  private static SortedMap<String, Double> overall(List<PoolSeries> series, Duration elapsed) {
    var sums = new TreeMap<String, Double>();
    series.forEach(pool ->
        sums.merge(pool.resource(), pool.amounts().over(Duration.ZERO, elapsed), Double::sum));
    return sums;
  }

  /** The wait that a part of the jobs does not exceed; empty if no job got all its nodes. */
  Optional<Duration> wait(double part) {
    return quantile(waits, part);
  }

  /** The nearest-rank quantile of sorted values. */
  static Optional<Duration> quantile(List<Duration> sorted, double part) {
    if (sorted.isEmpty()) {
      return Optional.empty();
    }
    int rank = (int) Math.ceil(part * sorted.size());
    return Optional.of(sorted.get(Math.max(0, Math.min(rank, sorted.size()) - 1)));
  }
}
