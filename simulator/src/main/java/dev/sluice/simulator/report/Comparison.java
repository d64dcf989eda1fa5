package dev.sluice.simulator.report;

import dev.sluice.simulator.result.Eviction;
import dev.sluice.simulator.result.JobResult;
import dev.sluice.simulator.result.RunResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The difference that a change makes, job by job.
 *
 * @param shifts the jobs that start at another time, the largest difference first; jobs that start
 *     in only one of the runs come before all others
 * @param unchanged how many jobs start at the same time, or in neither run
 * @param evictedOnlyWith the workloads that are evicted only with the change
 * @param evictedOnlyWithout the workloads that are evicted only without it
 */
public record Comparison(
    List<Shift> shifts,
    int unchanged,
    List<Eviction> evictedOnlyWith,
    List<Eviction> evictedOnlyWithout) {

  public Comparison {
    shifts = List.copyOf(shifts);
    evictedOnlyWith = List.copyOf(evictedOnlyWith);
    evictedOnlyWithout = List.copyOf(evictedOnlyWithout);
  }

  /** One job that starts at another time, or in only one of the runs. */
  public record Shift(
      String job, String queue, Optional<Duration> before, Optional<Duration> after) {

    /** How much later it starts with the change; negative if earlier. */
    public Optional<Duration> later() {
      return before.flatMap(was -> after.map(is -> is.minus(was)));
    }

    boolean isEarlier() {
      return later().map(Duration::isNegative).orElse(before.isEmpty());
    }
  }

  /** Compares a run with the run of a change; jobs are the same if their names are. */
  public static Comparison of(RunResult base, RunResult changed) {
    Map<String, JobResult> after = byName(changed);
    var shifts = new ArrayList<Shift>();
    int unchanged = 0;
    for (JobResult job : base.jobs()) {
      JobResult other = after.remove(job.job());
      var shift =
          new Shift(
              job.job(),
              job.clusterQueue(),
              start(job),
              Optional.ofNullable(other).flatMap(Comparison::start));
      if (shift.before().equals(shift.after())) {
        unchanged++;
      } else {
        shifts.add(shift);
      }
    }
    after.values().stream()
        .filter(job -> start(job).isPresent())
        .forEach(job ->
            shifts.add(new Shift(job.job(), job.clusterQueue(), Optional.empty(), start(job))));
    shifts.sort(
        Comparator.comparing(
                (Shift shift) -> shift.later().map(Duration::abs).orElse(base.elapsed()))
            .reversed());
    return new Comparison(
        shifts, unchanged, evictedOnly(changed, base), evictedOnly(base, changed));
  }

  private static Map<String, JobResult> byName(RunResult run) {
    var byName = new LinkedHashMap<String, JobResult>();
    run.jobs().forEach(job -> byName.put(job.job(), job));
    return byName;
  }

  /** A job starts when it is admitted; one that is not queued, when all its pods have a node. */
  private static Optional<Duration> start(JobResult job) {
    return job.admitted().or(job::bound);
  }

  private static List<Eviction> evictedOnly(RunResult in, RunResult notIn) {
    var seen = new TreeSet<String>();
    notIn.evictions().forEach(eviction -> seen.add(eviction.workload()));
    return in.evictions().stream().filter(eviction -> seen.add(eviction.workload())).toList();
  }

  public List<Shift> earlier() {
    return shifts.stream().filter(Shift::isEarlier).toList();
  }

  public List<Shift> later() {
    return shifts.stream().filter(shift -> !shift.isEarlier()).toList();
  }
}
