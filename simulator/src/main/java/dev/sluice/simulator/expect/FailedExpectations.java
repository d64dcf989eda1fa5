package dev.sluice.simulator.expect;

import dev.sluice.simulator.result.Estimate;
import dev.sluice.simulator.result.JobResult;
import dev.sluice.simulator.result.RunResult;
import dev.sluice.simulator.scenario.Expectation;
import dev.sluice.simulator.scenario.Expectation.Bound;
import dev.sluice.simulator.scenario.Expectation.Measure;
import dev.sluice.simulator.scenario.ScenarioSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The expectations of a scenario that the runs of one variant do not meet. */
public final class FailedExpectations {
  private static final int MAX_NAMED_JOBS = 3;

  private FailedExpectations() {}

  /**
   * What does not hold, one line each; none if all is as expected.
   *
   * @param runs of one variant with each seed; an expectation is about their mean
   */
  public static List<String> of(ScenarioSpec spec, List<RunResult> runs) {
    var failures = new ArrayList<String>();
    String variant = runs.getFirst().name().variant();
    for (Expectation expectation : spec.expectations()) {
      if (expectation.isAbout(variant)) {
        failure(expectation, runs).ifPresent(failures::add);
      }
    }
    if (!spec.mayLeaveJobs()
        && spec.expectations().stream().noneMatch(FailedExpectations::isOfUnfinished)) {
      runs.forEach(run -> unfinished(run).ifPresent(failures::add));
    }
    for (RunResult run : runs) {
      run.broken().forEach(invariant -> failures.add("an invariant was violated: " + invariant));
    }
    return failures.stream().distinct().map(failure -> named(variant, failure)).toList();
  }

  private static String named(String variant, String failure) {
    return variant.isEmpty() ? failure : "variant %s: %s".formatted(variant, failure);
  }

  private static boolean isOfUnfinished(Expectation expectation) {
    return expectation.measure() == Measure.JOBS_UNFINISHED;
  }

  private static Optional<String> unfinished(RunResult run) {
    List<JobResult> jobs = run.jobs().stream().filter(job -> !job.isEnded()).toList();
    if (jobs.isEmpty()) {
      return Optional.empty();
    }
    List<String> some =
        jobs.stream()
            .limit(MAX_NAMED_JOBS)
            .map(job -> "%s (%s)".formatted(job.job(), job.reason()))
            .toList();
    return Optional.of(
        "%d of %d jobs did not end: %s%s"
            .formatted(
                jobs.size(),
                run.jobs().size(),
                String.join("; ", some),
                jobs.size() > some.size() ? " and others" : ""));
  }

  private static Optional<String> failure(Expectation expectation, List<RunResult> runs) {
    var values = new ArrayList<Double>();
    var wholes = new ArrayList<Double>();
    for (RunResult run : runs) {
      var measurement = new Measurement(expectation, run);
      Optional<Double> value = measurement.value();
      if (value.isEmpty()) {
        return Optional.of(
            "%s does not hold: %s".formatted(expectation.text(), measurement.nothing()));
      }
      values.add(value.get());
      wholes.add(measurement.whole());
    }
    Estimate estimate = Estimate.of(values);
    double whole = Estimate.of(wholes).mean();
    return broken(expectation, estimate.mean(), whole)
        .map(bound ->
            "%s does not hold: it is %s%s, not %s"
                .formatted(
                    expectation.text(),
                    shown(expectation, estimate.mean()),
                    width(expectation, estimate),
                    bound));
  }

  private static Optional<String> broken(Expectation expectation, double value, double whole) {
    if (expectation
        .below()
        .filter(bound -> value >= limit(expectation, bound, whole))
        .isPresent()) {
      return expectation.below().map(bound -> "below " + bound.text());
    }
    if (expectation
        .atMost()
        .filter(bound -> value > limit(expectation, bound, whole))
        .isPresent()) {
      return expectation.atMost().map(bound -> "at most " + bound.text());
    }
    return expectation
        .atLeast()
        .filter(bound -> value < limit(expectation, bound, whole))
        .map(bound -> "at least " + bound.text());
  }

  /** A part of the jobs is a number of them; a part of a capacity is compared as it is. */
  private static double limit(Expectation expectation, Bound bound, double whole) {
    return bound.relative() && isCount(expectation.measure())
        ? bound.value() * whole
        : bound.value();
  }

  private static boolean isCount(Measure measure) {
    return switch (measure) {
      case JOBS_FAILED, JOBS_UNFINISHED, PREEMPTIONS, EVICTIONS -> true;
      case WAIT, DISPATCH, COMPLETION, SCHEDULING_LATENCY, MAKESPAN, SHARE, UTILISATION -> false;
    };
  }

  private static String shown(Expectation expectation, double value) {
    return switch (expectation.measure()) {
      case SHARE, UTILISATION -> String.format(Locale.ROOT, "%.1f%%", 100 * value);
      case JOBS_FAILED, JOBS_UNFINISHED, PREEMPTIONS, EVICTIONS ->
          String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f" : "%.1f", value);
      case WAIT, DISPATCH, COMPLETION, SCHEDULING_LATENCY, MAKESPAN ->
          String.format(Locale.ROOT, "%.2fs", value);
    };
  }

  private static String width(Expectation expectation, Estimate estimate) {
    return estimate.seeds() == 1
        ? ""
        : " ± %s over %d seeds"
            .formatted(shown(expectation, estimate.halfWidth()), estimate.seeds());
  }
}
