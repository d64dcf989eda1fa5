package dev.sluice.benchmarks;

import dev.sluice.benchmarks.world.FailedBenchmark;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice bench engine}: the JMH benchmarks of admission, in one table. */
@Command(
    name = "engine",
    description =
        "Measure how many admission decisions a second the engine takes, by how many workloads are"
            + " pending.")
final class EngineCommand implements Callable<Integer> {
  private static final long MICROS = TimeUnit.SECONDS.toMicros(1);

  @Spec private CommandSpec spec;

  @Option(names = "--verbose", description = "Also show the output of JMH.")
  private boolean verbose;

  @Override
  public Integer call() {
    Collection<RunResult> results = measure();
    if (results.isEmpty()) {
      throw new FailedBenchmark("no benchmark of admission was found in this build");
    }
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "%-44s %12s %12s %14s %12s %12s %14s %16s %14s %6s%n",
        "admission",
        "ends/s",
        "us an end",
        "admissions/s",
        "evictions/s",
        "waits/s",
        "decisions/s",
        "decisions an end",
        "us a decision",
        "error");
    results.forEach(result -> out.println(line(result)));
    out.println(
        "A decision is an admission, an eviction, or a workload that was nominated and stays"
            + " pending. Its cost does not depend on their number if 'us a decision' does not grow with"
            + " pending by more than the error, which is JMH's for 99.9 %; compare rows with about"
            + " as many decisions an end, as others decide something else.");
    out.flush();
    return 0;
  }

  private Collection<RunResult> measure() {
    var options =
        new OptionsBuilder()
            .include("\\.Admission[A-Za-z]*\\.")
            .verbosity(verbose ? VerboseMode.NORMAL : VerboseMode.SILENT)
            .shouldFailOnError(true)
            .build();
    try {
      return new Runner(options).run();
    } catch (RunnerException failed) {
      throw new FailedBenchmark("JMH could not run it: " + failed.getMessage());
    }
  }

  private static String line(RunResult measured) {
    double ends = perSecond(measured);
    double admissions = counted(measured, "admissions");
    double evictions = counted(measured, "evictions");
    double waits = counted(measured, "waits");
    double decisions = admissions + evictions + waits;
    return "%-44s %,12.0f %,12.2f %,14.0f %,12.0f %,12.0f %,14.0f %16.2f %,14.2f %4.0f %%"
        .formatted(
            name(measured.getParams()),
            ends,
            MICROS / ends,
            admissions,
            evictions,
            waits,
            decisions,
            decisions / ends,
            MICROS / decisions,
            errorPercent(measured.getPrimaryResult()));
  }

  private static double errorPercent(Result<?> result) {
    return 100 * result.getScoreError() / result.getScore();
  }

  /** The rate per second of something that the benchmark counts. */
  private static double counted(RunResult measured, String what) {
    Result<?> result = measured.getSecondaryResults().get(what);
    if (result == null) {
      throw new FailedBenchmark("the benchmark does not count " + what);
    }
    return Double.isFinite(result.getScore()) ? perSecond(measured, result) : 0;
  }

  /** JMH counts calls, in the unit that the benchmark chose; each ends a whole batch. */
  private static double perSecond(RunResult measured) {
    int batch = Integer.parseInt(measured.getParams().getParam("batch"));
    return batch * perSecond(measured, measured.getPrimaryResult());
  }

  private static double perSecond(RunResult measured, Result<?> result) {
    double unitsInSecond =
        (double) TimeUnit.SECONDS.toNanos(1) / measured.getParams().getTimeUnit().toNanos(1);
    return result.getScoreUnit().startsWith("ops/")
        ? result.getScore() * unitsInSecond
        : unitsInSecond / result.getScore();
  }

  private static String name(BenchmarkParams params) {
    String name = params.getBenchmark().replaceAll(".*\\.", "");
    var text = new StringBuilder(name);
    for (String key : params.getParamsKeys()) {
      text.append(' ').append(key).append('=').append(params.getParam(key));
    }
    return text.toString();
  }
}
