package dev.sluice.benchmarks.queue;

import java.time.Duration;
import java.util.List;

/**
 * A load: cohorts of equal queues, and what arrives in each of them. The two known ones are those
 * of Kueue's performance tests, so that figures can be compared.
 *
 * @param timeout when Kueue's test gives up, and ours too
 * @param peers how long other systems take; empty for a scaled shape
 */
record Shape(
    String name,
    int cohorts,
    int queuesPerCohort,
    List<WorkloadClass> classes,
    Duration timeout,
    List<PeerFigure> peers) {
  static final int NOMINAL_CPU = 20;
  static final int BORROWING_LIMIT_CPU = 100;

  static final Shape BASELINE =
      new Shape(
          "baseline",
          5,
          6,
          List.of(
              workloads("small", 350, 1, 200, 50, 100),
              workloads("medium", 100, 5, 500, 100, 500),
              workloads("large", 50, 20, 1000, 200, 1200)),
          Duration.ofMinutes(10),
          List.of(
              new PeerFigure("Kueue 0.19.2, published", 351),
              new PeerFigure("Kueue 0.19.2 as shipped, 2 cores", 398),
              new PeerFigure("Kueue 0.19.2 unthrottled, 2 cores", 277)));

  static final Shape LARGE_SCALE =
      new Shape(
          "large-scale",
          10,
          100,
          List.of(
              workloads("small", 35, 1, 150, 50, 60),
              workloads("medium", 11, 5, 350, 100, 300),
              workloads("large", 4, 20, 700, 200, 700)),
          Duration.ofMinutes(30),
          List.of(new PeerFigure("Kueue 0.19.2, published", 1179)));

  Shape {
    classes = List.copyOf(classes);
    peers = List.copyOf(peers);
  }

  static WorkloadClass workloads(
      String name, int count, int cpu, int runtimeMillis, int priority, int intervalMillis) {
    return new WorkloadClass(
        name,
        count,
        cpu,
        Duration.ofMillis(runtimeMillis),
        priority,
        Duration.ofMillis(intervalMillis));
  }

  /** The same queues with fewer or more workloads in each. */
  Shape scaled(double scale) {
    return scale == 1
        ? this
        : new Shape(
            "%s x %s".formatted(name, scale),
            cohorts,
            queuesPerCohort,
            classes.stream().map(each -> each.scaled(scale)).toList(),
            timeout,
            List.of());
  }

  Shape within(Duration patience) {
    return new Shape(name, cohorts, queuesPerCohort, classes, patience, peers);
  }

  int queues() {
    return cohorts * queuesPerCohort;
  }

  int workloads() {
    return queues() * classes.stream().mapToInt(WorkloadClass::count).sum();
  }

  /**
   * The lower bound for any system: all queues have the same load, so borrowing gains nothing in
   * the long run, and the work needs its time on the quota; nor can it end before the last arrival.
   */
  Duration lowerBound() {
    long work = classes.stream().mapToLong(WorkloadClass::work).sum();
    Duration busy = Duration.ofMillis(work / NOMINAL_CPU);
    return classes.stream()
        .map(each -> each.lastArrival().minus(each.interval()).plus(each.runtime()))
        .reduce(busy, (one, other) -> one.compareTo(other) > 0 ? one : other);
  }
}
