package dev.sluice.simulator.expect;

import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import dev.sluice.simulator.result.Distribution;
import dev.sluice.simulator.result.Eviction;
import dev.sluice.simulator.result.JobResult;
import dev.sluice.simulator.result.JobResult.State;
import dev.sluice.simulator.result.ResultSheet;
import dev.sluice.simulator.result.RunResult;
import dev.sluice.simulator.scenario.Expectation;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** What an expectation measures, in one run. */
record Measurement(Expectation expectation, RunResult run) {

  /** The value; empty if there is nothing to measure. */
  Optional<Double> value() {
    Tree fields = expectation.fields();
    return switch (expectation.measure()) {
      case JOBS_FAILED -> count(job -> job.state() == State.FAILED);
      case JOBS_UNFINISHED -> count(job -> !job.isEnded());
      case PREEMPTIONS ->
          Optional.of((double) jobs().stream().mapToInt(JobResult::preemptions).sum());
      case WAIT -> time(JobResult::waited);
      case DISPATCH -> time(JobResult::dispatched);
      case COMPLETION -> time(JobResult::completed);
      case SCHEDULING_LATENCY -> statistic(run.schedulingLatencies());
      case MAKESPAN -> Optional.of(Distribution.seconds(run.makespan()));
      case SHARE ->
          new QueueShare(run, resource()).of(fields.text("queue"), fields.textItems("while"));
      case UTILISATION ->
          Optional.of(ResultSheet.utilisation(run, resource(), fields.text("pool")));
      case EVICTIONS -> Optional.of((double) evictions(fields.text("reason")));
    };
  }

  /** Why there is nothing to measure. */
  String nothing() {
    return switch (expectation.measure()) {
      case SHARE -> "there was no such time";
      case SCHEDULING_LATENCY -> "no pod was bound";
      case JOBS_FAILED,
          JOBS_UNFINISHED,
          PREEMPTIONS,
          WAIT,
          DISPATCH,
          COMPLETION,
          MAKESPAN,
          UTILISATION,
          EVICTIONS ->
          "there is no such job";
    };
  }

  /** The number of jobs of which a relative bound is a part. */
  double whole() {
    return jobs().size();
  }

  private String resource() {
    String resource = expectation.fields().text("resource");
    return resource.isEmpty() ? "cpu" : resource;
  }

  private long evictions(String reason) {
    return run.evictions().stream()
        .map(Eviction::reason)
        .filter(one -> reason.isEmpty() || one.equals(reason))
        .count();
  }

  private List<JobResult> jobs() {
    String queue = expectation.fields().text("queue");
    String owner = expectation.fields().text("owner");
    return run.jobs().stream()
        .filter(job -> queue.isEmpty() || job.queue().equals(queue))
        .filter(job -> owner.isEmpty() || job.owner().equals(owner))
        .toList();
  }

  private Optional<Double> count(Predicate<JobResult> which) {
    return Optional.of((double) jobs().stream().filter(which).count());
  }

  /** A job that is not there yet counts with its time so far: leaving it out would flatter. */
  private Optional<Double> time(Function<JobResult, Optional<Duration>> time) {
    return statistic(
        jobs().stream()
            .map(job -> time.apply(job).orElse(run.elapsed().minus(job.submitted())))
            .toList());
  }

  private Optional<Double> statistic(List<Duration> times) {
    if (times.isEmpty()) {
      return Optional.empty();
    }
    Distribution all = Distribution.of(times);
    Tree fields = expectation.fields();
    return Optional.of(
        switch (fields.at("percentile")) {
          case Value.Whole(long percent) -> percentile(times, (double) percent);
          case Value.Decimal(BigDecimal percent) -> percentile(times, percent.doubleValue());
          default -> fields.text("statistic").equals("max") ? all.max() : all.mean();
        });
  }

  private static double percentile(List<Duration> times, double percent) {
    return Distribution.percentile(times.stream().sorted().toList(), percent);
  }
}
