package dev.sluice.simulator.result;

import dev.sluice.model.tree.Tree;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** The files of a result: {@code result.json} and {@code jobs.csv}. */
public final class ResultFiles {
  private static final int DECIMALS = 6;
  private static final String HEADER =
      "job,queue,clusterQueue,owner,pods,state,submitted,admitted,bound,started,ended,"
          + "preemptions,reason";

  private ResultFiles() {}

  /**
   * The figures of one run.
   *
   * @param realSeconds how long the run took outside
   */
  public static Tree json(RunResult run, double realSeconds) {
    ResultSheet sheet = ResultSheet.of(run);
    double virtual = Distribution.seconds(run.elapsed());
    return Tree.of(
        "scenario", run.name().scenario(),
        "variant", run.name().variant(),
        "seed", run.name().seed(),
        "jobs", jobs(sheet),
        "makespan", number(sheet.makespan()),
        "wait", times(sheet.waiting()),
        "dispatch", times(sheet.dispatch()),
        "schedulingLatency", times(sheet.schedulingLatency()),
        "completion", times(sheet.completion()),
        "utilisation", numbers(sheet.utilisation()),
        "wasted", numbers(sheet.wasted()),
        "preemptions", sheet.preemptions(),
        "evictions", Tree.of(sheet.evictions()),
        "writes", sheet.writes(),
        "decisionLogSha256", sheet.decisionLogSha256(),
        "realSeconds", number(realSeconds),
        "speedup", number(realSeconds > 0 ? virtual / realSeconds : 0));
  }

  private static Tree jobs(ResultSheet sheet) {
    return Tree.of(
        "total",
        sheet.total(),
        "succeeded",
        sheet.succeeded(),
        "failed",
        sheet.failed(),
        "unfinished",
        sheet.unfinished());
  }

  private static Tree times(Distribution times) {
    return Tree.of(
        "mean",
        number(times.mean()),
        "p50",
        number(times.p50()),
        "p95",
        number(times.p95()),
        "p99",
        number(times.p99()),
        "max",
        number(times.max()));
  }

  private static Tree numbers(SortedMap<String, Double> values) {
    var numbers = new TreeMap<String, BigDecimal>();
    values.forEach((name, value) -> numbers.put(name, number(value)));
    return Tree.of(numbers);
  }

  private static BigDecimal number(double value) {
    BigDecimal rounded =
        BigDecimal.valueOf(value).setScale(DECIMALS, RoundingMode.HALF_EVEN).stripTrailingZeros();
    return rounded.scale() < 0 ? rounded.setScale(0, RoundingMode.UNNECESSARY) : rounded;
  }

  /** The means over the seeds of one variant, each with the half width of its 95 % interval. */
  public static Tree estimates(List<RunResult> seeds) {
    List<ResultSheet> sheets = seeds.stream().map(ResultSheet::of).toList();
    return Tree.of(
        "makespan", estimate(sheets, ResultSheet::makespan),
        "waitMean", estimate(sheets, sheet -> sheet.waiting().mean()),
        "waitP95", estimate(sheets, sheet -> sheet.waiting().p95()),
        "completionMean", estimate(sheets, sheet -> sheet.completion().mean()),
        "failed", estimate(sheets, ResultSheet::failed),
        "preemptions", estimate(sheets, ResultSheet::preemptions));
  }

  private static Tree estimate(List<ResultSheet> sheets, ToDoubleFunction<ResultSheet> figure) {
    Estimate estimate =
        Estimate.of(sheets.stream().map(sheet -> figure.applyAsDouble(sheet)).toList());
    return Tree.of("mean", number(estimate.mean()), "halfWidth", number(estimate.halfWidth()));
  }

  /** The jobs, one a line, with a header. Times are in seconds since the start. */
  public static List<String> csv(RunResult run) {
    var lines = new ArrayList<String>();
    lines.add(HEADER);
    for (JobResult job : run.jobs()) {
      lines.add(
          String.join(
              ",",
              job.job(),
              job.queue(),
              job.clusterQueue(),
              quoted(job.owner()),
              String.valueOf(job.pods()),
              job.state().word(),
              seconds(Optional.of(job.submitted())),
              seconds(job.admitted()),
              seconds(job.bound()),
              seconds(job.started()),
              seconds(job.ended()),
              String.valueOf(job.preemptions()),
              quoted(job.reason())));
    }
    return lines;
  }

  private static String seconds(Optional<Duration> time) {
    return time.map(one -> String.format(Locale.ROOT, "%.3f", Distribution.seconds(one)))
        .orElse("");
  }

  /** As RFC 4180 quotes; a text that a spreadsheet would take for a formula is quoted too. */
  private static String quoted(String text) {
    boolean plain = text.matches("[A-Za-z0-9 ._/-]*") && !text.startsWith("-");
    return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
  }
}
