package dev.sluice.controllers.queueing.metrics;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.core.metrics.StatefulMetric;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Makes meters with Kueue's prefix and the label that says which replica counted.
 *
 * <p>Threads: safe, and so are the meters.
 */
final class Meters {
  static final String PREFIX = "kueue_";
  static final String ROLE = "replica_role";

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final List<Series> series = new CopyOnWriteArrayList<>();
  private final Supplier<String> role;

  /**
   * @param role {@code leader}, {@code follower} or {@code standalone}
   */
  Meters(Supplier<String> role) {
    this.role = role;
  }

  /** A meter with the names of its labels, in the order in which it takes their values. */
  private record Series(StatefulMetric<?, ?> meter, List<String> labels) {

    void forget(SortedMap<String, String> gone) {
      if (!labels.containsAll(gone.keySet())) {
        return;
      }
      for (DataPointSnapshot point : meter.collect().getDataPoints()) {
        Labels found = point.getLabels();
        if (gone.entrySet().stream().allMatch(e -> e.getValue().equals(found.get(e.getKey())))) {
          meter.remove(labels.stream().map(found::get).toArray(String[]::new));
        }
      }
    }
  }

  /**
   * Drops what was counted for something that is gone, so that memory does not grow with all that
   * ever was.
   */
  void forget(SortedMap<String, String> labels) {
    series.forEach(one -> one.forget(labels));
  }

  MetricSnapshots collect() {
    return registry.scrape();
  }

  /** Counts events; the label values come in the order of the labels. */
  interface Tally {
    void add(String... values);
  }

  /** Takes note of how long things took. */
  interface Timer {
    void took(Duration time, String... values);
  }

  Tally counter(String name, String help, String... labels) {
    Counter counter =
        Counter.builder()
            .name(PREFIX + name)
            .help(help)
            .labelNames(withRole(labels, ROLE))
            .withoutExemplars()
            .register(registry);
    series.add(new Series(counter, List.of(withRole(labels, ROLE))));
    return values -> counter.labelValues(withRole(values, role.get())).inc();
  }

  Timer timer(String name, String help, List<Double> bounds, String... labels) {
    Histogram histogram =
        Histogram.builder()
            .name(PREFIX + name)
            .help(help)
            .classicOnly()
            .classicUpperBounds(bounds.stream().mapToDouble(Double::doubleValue).toArray())
            .labelNames(withRole(labels, ROLE))
            .withoutExemplars()
            .register(registry);
    series.add(new Series(histogram, List.of(withRole(labels, ROLE))));
    return (time, values) ->
        histogram.labelValues(withRole(values, role.get())).observe(seconds(time));
  }

  private static String[] withRole(String[] labels, String last) {
    return Stream.concat(Stream.of(labels), Stream.of(last)).toArray(String[]::new);
  }

  private static double seconds(Duration time) {
    return time.isNegative() ? 0 : time.toNanos() / 1e9;
  }

  /** One second, and then so many more, each twice the one before. */
  static List<Double> waits(int count) {
    var bounds = new ArrayList<Double>();
    bounds.add(1.0);
    bounds.addAll(doubling(2.5, count - 1));
    return bounds;
  }

  static List<Double> doubling(double first, int count) {
    return Stream.iterate(first, bound -> bound * 2).limit(count).toList();
  }
}
