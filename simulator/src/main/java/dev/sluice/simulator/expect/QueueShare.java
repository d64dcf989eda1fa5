package dev.sluice.simulator.expect;

import dev.sluice.simulator.result.RunResult;
import dev.sluice.simulator.result.RunResult.DepthSeries;
import dev.sluice.simulator.result.StepSeries;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** The part of the reserved quota of a resource that a ClusterQueue had. */
record QueueShare(RunResult run, String resource) {

  /**
   * The share over all times at which these queues had pending workloads; empty if there was no
   * such time, or no quota was reserved then.
   */
  Optional<Double> of(String clusterQueue, List<String> busy) {
    var times = new TreeSet<Duration>(List.of(Duration.ZERO, run.elapsed()));
    run.depths().forEach(depth -> depth.workloads().steps().forEach(step -> times.add(step.at())));
    double own = 0;
    double all = 0;
    Duration from = Duration.ZERO;
    for (Duration until : times) {
      if (areBusy(busy, from)) {
        own += reserved(clusterQueue, from, until);
        all += reserved("", from, until);
      }
      from = until;
    }
    return all == 0 ? Optional.empty() : Optional.of(own / all);
  }

  private boolean areBusy(List<String> queues, Duration time) {
    return queues.stream()
        .allMatch(queue ->
            run.depths().stream()
                .filter(depth -> depth.clusterQueue().equals(queue))
                .map(DepthSeries::workloads)
                .mapToLong((StepSeries workloads) -> workloads.at(time))
                .anyMatch(pending -> pending > 0));
  }

  private double reserved(String clusterQueue, Duration from, Duration until) {
    return run.reservations().stream()
        .filter(series -> series.resource().equals(resource))
        .filter(series -> clusterQueue.isEmpty() || series.clusterQueue().equals(clusterQueue))
        .mapToDouble(series -> series.amounts().over(from, until))
        .sum();
  }
}
