package dev.sluice.simulator.result;

import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.simulator.result.JobResult.State;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The figures of one run. Times are in seconds.
 *
 * @param waiting from submission until all pods of a job have a node
 * @param dispatch from submission until admission
 * @param schedulingLatency from the creation of a pod until it is bound
 * @param completion from submission until the end
 * @param utilisation the part of the nodes' capacity that was allocated, by resource, from the
 *     first submission until the last end
 * @param wasted the resource-seconds of pods that did not succeed, cpu in whole cpus
 */
public record ResultSheet(
    int total,
    int succeeded,
    int failed,
    double makespan,
    Distribution waiting,
    Distribution dispatch,
    Distribution schedulingLatency,
    Distribution completion,
    SortedMap<String, Double> utilisation,
    SortedMap<String, Double> wasted,
    int preemptions,
    SortedMap<String, Integer> evictions,
    long writes,
    String decisionLogSha256) {

  public ResultSheet {
    utilisation = Collections.unmodifiableSortedMap(new TreeMap<>(utilisation));
    wasted = Collections.unmodifiableSortedMap(new TreeMap<>(wasted));
    evictions = Collections.unmodifiableSortedMap(new TreeMap<>(evictions));
  }

  public static ResultSheet of(RunResult run) {
    var evictions = new TreeMap<String, Integer>();
    run.evictions().forEach(eviction -> evictions.merge(eviction.reason(), 1, Integer::sum));
    var wasted = new TreeMap<String, Double>();
    run.waste()
        .byResource()
        .forEach(
            (resource, time) -> wasted.put(resource, resource.equals("cpu") ? time / 1000 : time));
    return new ResultSheet(
        run.jobs().size(),
        count(run, State.SUCCEEDED),
        count(run, State.FAILED),
        Distribution.seconds(run.makespan()),
        distribution(run, JobResult::waited),
        distribution(run, JobResult::dispatched),
        Distribution.of(run.schedulingLatencies()),
        distribution(run, JobResult::completed),
        utilisations(run),
        wasted,
        run.jobs().stream().mapToInt(JobResult::preemptions).sum(),
        evictions,
        run.writes().values().stream().mapToLong(Long::longValue).sum(),
        sha256(run.decisions()));
  }

  public int unfinished() {
    return total - succeeded - failed;
  }

  private static int count(RunResult run, State state) {
    return (int) run.jobs().stream().filter(job -> job.state() == state).count();
  }

  private static Distribution distribution(
      RunResult run, Function<JobResult, Optional<Duration>> time) {
    return Distribution.of(run.jobs().stream().map(time).flatMap(Optional::stream).toList());
  }

  private static SortedMap<String, Double> utilisations(RunResult run) {
    var resources = new TreeMap<String, Double>();
    run.capacities()
        .forEach(
            series -> resources.put(series.resource(), utilisation(run, series.resource(), "")));
    return resources;
  }

  /**
   * The part of the capacity of a resource that was allocated, from the first submission until the
   * last end.
   *
   * @param pool empty for all nodes
   */
  public static double utilisation(RunResult run, String resource, String pool) {
    Duration from = run.jobs().isEmpty() ? Duration.ZERO : run.jobs().getFirst().submitted();
    Duration until = from.plus(run.makespan());
    double offered = over(run.capacities(), resource, pool, from, until);
    return offered == 0 ? 0 : over(run.allocations(), resource, pool, from, until) / offered;
  }

  private static double over(
      List<RunResult.PoolSeries> all, String resource, String pool, Duration from, Duration until) {
    return all.stream()
        .filter(series -> series.resource().equals(resource))
        .filter(series -> pool.isEmpty() || series.pool().equals(pool))
        .mapToDouble(series -> series.amounts().over(from, until))
        .sum();
  }

  private static String sha256(List<Tree> decisions) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (Tree decision : decisions) {
        digest.update((Json.write(decision) + "\n").getBytes(StandardCharsets.UTF_8));
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
  }
}
