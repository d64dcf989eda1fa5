package dev.sluice.simulator.report;

import dev.sluice.model.Amounts;
import dev.sluice.simulator.result.Eviction;
import dev.sluice.simulator.result.JobResult;
import dev.sluice.simulator.result.JobResult.Attempt;
import dev.sluice.simulator.result.JobResult.State;
import dev.sluice.simulator.result.ResourceTime;
import dev.sluice.simulator.result.RunResult;
import dev.sluice.simulator.result.RunResult.DepthSeries;
import dev.sluice.simulator.result.RunResult.PoolSeries;
import dev.sluice.simulator.result.RunResult.QuotaSeries;
import dev.sluice.simulator.result.RunResult.RunName;
import dev.sluice.simulator.result.StepSeries;
import dev.sluice.simulator.result.StepSeries.Step;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Runs of a day in three queues, as a simulation could have given them. */
final class SampleRuns {
  private static final List<String> QUEUES = List.of("research", "production", "</script><b>odd");
  private static final Duration DAY = Duration.ofHours(24);

  private SampleRuns() {}

  /** A run whose jobs wait about as long as {@code wait} says. */
  static RunResult run(String variant, int jobs, Duration wait) {
    var random = new SplittableRandom(7);
    var results = new ArrayList<JobResult>();
    var reserved = new TreeMap<String, SortedMap<Duration, Long>>();
    var depths = new TreeMap<String, SortedMap<Duration, Long>>();
    for (int i = 0; i < jobs; i++) {
      JobResult job = job(i, jobs, random, wait);
      results.add(job);
      Duration bound = job.bound().orElse(DAY);
      change(depths, job.clusterQueue(), job.submitted(), bound, 1);
      for (Attempt attempt : job.attempts()) {
        change(
            reserved,
            job.clusterQueue() + " " + attempt.flavor(),
            attempt.from(),
            attempt.until().orElse(DAY),
            job.requests().get("cpu"));
      }
    }
    return new RunResult(
        new RunName("a day of three teams", variant, 1),
        Instant.parse("2026-01-01T00:00:00Z"),
        DAY,
        results,
        List.of(
            new Eviction(
                Duration.ofHours(3), "n/w3", "n/job-3", "research", "Preempted", "", "for w4")),
        reserved.entrySet().stream().map(SampleRuns::quota).toList(),
        reserved.entrySet().stream().map(SampleRuns::pool).toList(),
        List.of(capacity("spot", 400), capacity("on-demand", 300)),
        depths.entrySet().stream()
            .map(entry -> new DepthSeries(entry.getKey(), steps(entry.getValue())))
            .toList(),
        List.of(),
        ResourceTime.NONE,
        new TreeMap<>(),
        List.of(),
        List.of(),
        List.of());
  }

  private static JobResult job(int number, int jobs, SplittableRandom random, Duration wait) {
    String queue = QUEUES.get(random.nextInt(QUEUES.size()));
    Duration submitted = DAY.multipliedBy(number).dividedBy(jobs).truncatedTo(ChronoUnit.SECONDS);
    boolean never = number % 40 == 39;
    long waited = (long) (wait.toSeconds() * -Math.log(1 - random.nextDouble()));
    Duration bound = submitted.plusSeconds(waited);
    Duration took = Duration.ofSeconds(600 + random.nextInt(10_000));
    Duration ended = bound.plus(took);
    boolean runs = ended.compareTo(DAY) > 0;
    int pods = 1 + random.nextInt(8);
    String pool = random.nextInt(3) == 0 ? "on-demand" : "spot";
    State state = never ? State.SUSPENDED : runs ? State.RUNNING : State.SUCCEEDED;
    boolean starts = !never && bound.compareTo(DAY) < 0;
    return new JobResult(
        "n/job-" + number,
        "lq",
        queue,
        number % 2 == 0 ? "ada" : "grace",
        pods,
        Amounts.of("cpu", pods * 4000L),
        starts ? state : State.SUSPENDED,
        submitted,
        starts ? Optional.of(bound) : Optional.empty(),
        starts ? Optional.of(bound) : Optional.empty(),
        starts ? Optional.of(bound) : Optional.empty(),
        starts && !runs ? Optional.of(ended) : Optional.empty(),
        starts
            ? List.of(new Attempt(pool, pool, bound, runs ? Optional.empty() : Optional.of(ended)))
            : List.of(),
        0,
        starts && !runs ? "" : "waits in ClusterQueue " + queue + ": 4 more cpu needed");
  }

  private static void change(
      Map<String, SortedMap<Duration, Long>> all,
      String name,
      Duration from,
      Duration until,
      long amount) {
    SortedMap<Duration, Long> changes = all.computeIfAbsent(name, _ -> new TreeMap<>());
    changes.merge(from, amount, Long::sum);
    changes.merge(until, -amount, Long::sum);
  }

  private static StepSeries steps(SortedMap<Duration, Long> changes) {
    var steps = new ArrayList<Step>();
    long amount = 0;
    for (Map.Entry<Duration, Long> change : changes.entrySet()) {
      amount += change.getValue();
      steps.add(new Step(change.getKey(), amount));
    }
    return new StepSeries(steps);
  }

  private static QuotaSeries quota(Map.Entry<String, SortedMap<Duration, Long>> reserved) {
    int space = reserved.getKey().lastIndexOf(' ');
    return new QuotaSeries(
        reserved.getKey().substring(0, space),
        reserved.getKey().substring(space + 1),
        "cpu",
        steps(reserved.getValue()));
  }

  private static PoolSeries pool(Map.Entry<String, SortedMap<Duration, Long>> reserved) {
    String pool = reserved.getKey().substring(reserved.getKey().lastIndexOf(' ') + 1);
    return new PoolSeries(pool, "cpu", steps(reserved.getValue()));
  }

  private static PoolSeries capacity(String pool, long cores) {
    return new PoolSeries(
        pool, "cpu", new StepSeries(List.of(new Step(Duration.ZERO, cores * 1000))));
  }
}
