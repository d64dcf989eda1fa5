package dev.sluice.simulator.whatif;

import dev.sluice.simulator.report.Comparison.Shift;
import dev.sluice.simulator.report.Report.Table;
import dev.sluice.simulator.report.Words;
import dev.sluice.simulator.result.Eviction;
import dev.sluice.simulator.result.RunResult;
import dev.sluice.simulator.result.RunResult.QuotaSeries;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a change does, as tables: who starts at another time, who is evicted, and the shares. */
final class WhatIfTables {
  private static final int MAX_ROWS = 100;

  private WhatIfTables() {}

  static List<Table> of(WhatIf answer) {
    return List.of(starts(answer), evictions(answer), shares(answer));
  }

  private static Table starts(WhatIf answer) {
    List<Shift> shifts = answer.comparison().shifts();
    var rows = new ArrayList<List<String>>();
    shifts.stream().limit(MAX_ROWS).forEach(shift -> rows.add(row(shift)));
    if (shifts.size() > MAX_ROWS) {
      rows.add(List.of("… and %d more".formatted(shifts.size() - MAX_ROWS), "", "", "", ""));
    }
    return new Table(
        "Jobs that start at another time",
        List.of("Job", "Queue", "As it is", "With the change", "Difference"),
        rows,
        "Every job starts at the same time.");
  }

  private static List<String> row(Shift shift) {
    String difference =
        shift
            .later()
            .map(by -> Words.duration(by.abs()) + (by.isNegative() ? " earlier" : " later"))
            .orElse(shift.before().isEmpty() ? "only with the change" : "no longer");
    return List.of(
        shift.job(), shift.queue(), start(shift.before()), start(shift.after()), difference);
  }

  private static String start(Optional<Duration> start) {
    return start.map(time -> "in " + Words.duration(time)).orElse("not started");
  }

  private static Table evictions(WhatIf answer) {
    var rows = new ArrayList<List<String>>();
    answer.comparison().evictedOnlyWith().forEach(found -> rows.add(row(found, "with the change")));
    answer.comparison().evictedOnlyWithout().forEach(found -> rows.add(row(found, "as it is")));
    return new Table(
        "Workloads that are evicted in only one of both",
        List.of("Workload", "Queue", "Evicted", "After", "Why"),
        rows.size() > MAX_ROWS ? rows.subList(0, MAX_ROWS) : rows,
        "The same workloads are evicted, if any.");
  }

  private static List<String> row(Eviction eviction, String when) {
    return List.of(
        eviction.workload(),
        eviction.clusterQueue(),
        when,
        Words.duration(eviction.at()),
        eviction.reason() + ": " + eviction.message());
  }

  /** The part of all reserved quota that each ClusterQueue has, by resource. */
  private static Table shares(WhatIf answer) {
    Map<String, Double> before = shares(answer.without());
    Map<String, Double> after = shares(answer.with());
    var names = new TreeSet<>(before.keySet());
    names.addAll(after.keySet());
    var rows = new ArrayList<List<String>>();
    for (String name : names) {
      int space = name.indexOf(' ');
      rows.add(
          List.of(
              name.substring(space + 1),
              name.substring(0, space),
              percent(before.getOrDefault(name, 0.0)),
              percent(after.getOrDefault(name, 0.0))));
    }
    return new Table(
        "Shares of what is reserved",
        List.of("Queue", "Resource", "As it is", "With the change"),
        rows,
        "Nothing is reserved.");
  }

  private static String percent(double share) {
    return Math.round(share * 100) + " %";
  }

  private static Map<String, Double> shares(RunResult run) {
    var byQueue = new TreeMap<String, Double>();
    var total = new TreeMap<String, Double>();
    for (QuotaSeries series : run.reservations()) {
      double used = series.amounts().over(Duration.ZERO, run.elapsed());
      byQueue.merge(series.resource() + " " + series.clusterQueue(), used, Double::sum);
      total.merge(series.resource(), used, Double::sum);
    }
    byQueue.replaceAll((name, used) -> {
      double all = total.getOrDefault(name.substring(0, name.indexOf(' ')), 0.0);
      return all == 0 ? 0 : used / all;
    });
    return byQueue;
  }
}
