package dev.sluice.simulator.report;

import dev.sluice.model.Amounts;
import dev.sluice.model.Quantity;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.simulator.result.JobResult;
import dev.sluice.simulator.result.RunResult;
import dev.sluice.simulator.result.StepSeries;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The data of one run that the page draws, bounded however large the run was. */
final class RunData {
  static final int MAX_ROWS = 1500;
  static final int MAX_LINES = 12;

  private static final int WAIT_POINTS = 100;
  private static final String OTHERS = "others";

  private final RunResult run;
  private final TimeGrid grid;

  RunData(RunResult run) {
    this.run = run;
    this.grid = new TimeGrid(run.elapsed());
  }

  Tree tree() {
    return Tree.of(
        "times", grid.times(),
        "elapsed", TimeGrid.number(TimeGrid.seconds(run.elapsed())),
        "flavors", byGroup(run.reservations().stream().map(Line::byFlavor).toList()),
        "queues", byGroup(run.reservations().stream().map(Line::byQueue).toList()),
        "pools", byGroup(run.allocations().stream().map(Line::byPool).toList()),
        "capacities", byGroup(run.capacities().stream().map(Line::byPool).toList()),
        "depths", byGroup(run.depths().stream().map(Line::depth).toList()),
        "waits", waits(),
        "jobs", jobs(),
        "totalJobs", run.jobs().size());
  }

  /** A series with the group it is added up in. */
  private record Line(String resource, String group, StepSeries amounts) {

    static Line byFlavor(RunResult.QuotaSeries series) {
      return new Line(series.resource(), series.flavor(), series.amounts());
    }

    static Line byQueue(RunResult.QuotaSeries series) {
      return new Line(series.resource(), series.clusterQueue(), series.amounts());
    }

    static Line byPool(RunResult.PoolSeries series) {
      String pool = series.pool().isEmpty() ? "no pool" : series.pool();
      return new Line(series.resource(), pool, series.amounts());
    }

    static Line depth(RunResult.DepthSeries series) {
      return new Line("workloads", series.clusterQueue(), series.workloads());
    }
  }

  /** For each resource, the largest groups by name, and the sum of all others. */
  private Tree byGroup(List<Line> lines) {
    var byResource = new TreeMap<String, SortedMap<String, double[]>>();
    for (Line line : lines) {
      double unit = unit(line.resource());
      double[] means = grid.means(line.amounts());
      double[] sums =
          byResource
              .computeIfAbsent(line.resource(), _ -> new TreeMap<>())
              .computeIfAbsent(line.group(), _ -> new double[TimeGrid.SLICES]);
      for (int i = 0; i < sums.length; i++) {
        sums[i] += means[i] / unit;
      }
    }
    var trees = new TreeMap<String, Items>();
    byResource.forEach((resource, groups) -> trees.put(resource, largest(groups)));
    return Tree.of(trees);
  }

  private static Items largest(SortedMap<String, double[]> groups) {
    List<Map.Entry<String, double[]>> bySize = new ArrayList<>(groups.entrySet());
    bySize.sort(Comparator.comparingDouble(group -> -sum(group.getValue())));
    var others = new double[TimeGrid.SLICES];
    var trees = new ArrayList<Tree>();
    for (int i = 0; i < bySize.size(); i++) {
      if (i < MAX_LINES || bySize.size() == MAX_LINES + 1) {
        trees.add(line(bySize.get(i).getKey(), bySize.get(i).getValue()));
      } else {
        for (int slice = 0; slice < others.length; slice++) {
          others[slice] += bySize.get(i).getValue()[slice];
        }
      }
    }
    if (trees.size() < bySize.size()) {
      trees.add(line("%d %s".formatted(bySize.size() - trees.size(), OTHERS), others));
    }
    return Items.of(trees);
  }

  private static Tree line(String name, double[] values) {
    return Tree.of("name", name, "values", TimeGrid.numbers(values));
  }

  private static double sum(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum;
  }

  /** How many of the units of {@link Amounts} make one that people count in. */
  static double unit(String resource) {
    if (resource.equals("cpu")) {
      return Amounts.in(resource, Quantity.of(1));
    }
    boolean bytes = resource.equals("memory") || resource.endsWith("storage");
    return bytes ? 1024.0 * 1024 * 1024 : 1;
  }

  /** For each ClusterQueue, the waits that 1, 2 … 100 % of its jobs do not exceed. */
  private Items waits() {
    var byQueue = new TreeMap<String, List<Duration>>();
    for (JobResult job : run.jobs()) {
      List<Duration> waits = byQueue.computeIfAbsent(queue(job), _ -> new ArrayList<>());
      job.waited().ifPresent(waits::add);
    }
    var trees = new ArrayList<Tree>();
    byQueue.forEach((queue, waits) -> {
      waits.sort(Comparator.naturalOrder());
      trees.add(Tree.of("name", queue, "jobs", waits.size(), "waits", quantiles(waits)));
    });
    return Items.of(trees);
  }

  private static Items quantiles(List<Duration> sorted) {
    var values = new ArrayList<Value>();
    for (int percent = 0; percent <= WAIT_POINTS && !sorted.isEmpty(); percent++) {
      Duration wait = Figures.quantile(sorted, percent / (double) WAIT_POINTS).orElseThrow();
      values.add(TimeGrid.number(TimeGrid.seconds(wait)));
    }
    return Items.of(values);
  }

  private static String queue(JobResult job) {
    return job.clusterQueue().isEmpty() ? "no queue" : job.clusterQueue();
  }

  /** The first jobs, grouped by queue; their attempts as [pool, from, until]. */
  private Items jobs() {
    return Items.of(
        run.jobs().stream()
            .limit(MAX_ROWS)
            .sorted(
                Comparator.comparing(RunData::queue)
                    .thenComparing(JobResult::submitted)
                    .thenComparing(JobResult::job))
            .map(this::job)
            .toList());
  }

  private Tree job(JobResult job) {
    Tree tree =
        Tree.of(
            "name", job.job(),
            "queue", queue(job),
            "owner", job.owner(),
            "state", job.state().word(),
            "pods", job.pods(),
            "submitted", time(job.submitted()),
            "attempts", Items.of(job.attempts().stream().map(this::attempt).toList()));
    Tree placed = job.bound().isPresent() ? tree.with("bound", time(job.bound().get())) : tree;
    return job.reason().isEmpty() ? placed : placed.with("reason", job.reason());
  }

  private Items attempt(JobResult.Attempt attempt) {
    return Items.of(
        List.of(
            new Value.Text(attempt.pool().isEmpty() ? "no pool" : attempt.pool()),
            time(attempt.from()),
            time(attempt.until().orElse(run.elapsed()))));
  }

  private static Value time(Duration time) {
    return new Value.Decimal(BigDecimal.valueOf(time.toMillis(), 3).stripTrailingZeros());
  }
}
