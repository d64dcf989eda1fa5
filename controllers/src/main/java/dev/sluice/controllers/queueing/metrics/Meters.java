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
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A factory of meters with Kueue's prefix, the label with the role of the replica, and custom
 * labels.
 *
 * <p>Threads: safe, and so are the meters.
 */
final class Meters {
  static final String PREFIX = "kueue_";
  static final String ROLE = "replica_role";

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final List<Series> series = new CopyOnWriteArrayList<>();
  private final Supplier<String> role;
  private final CustomLabels custom;

  /**
   * @param role {@code leader}, {@code follower} or {@code standalone}
   */
  Meters(Supplier<String> role, CustomLabels custom) {
    this.role = role;
    this.custom = custom;
  }

  /**
   * A meter with the names of its labels, in the order in which it takes their values.
   *
   * @param own the labels for which the caller has values
   * @param custom the custom labels
   */
  private record Series(
      StatefulMetric<?, ?> meter, List<String> labels, List<String> own, List<String> custom) {

    void forget(SortedMap<String, String> gone) {
      if (labels.containsAll(gone.keySet())) {
        forget(found ->
            gone.entrySet().stream().allMatch(e -> e.getValue().equals(found.get(e.getKey()))));
      }
    }

    /** Removes series whose custom labels have other values in the objects now. */
    void forgetOutdated(CustomLabels now) {
      if (!custom.isEmpty()) {
        forget(found -> !now.values(own, in(found, own)).equals(in(found, custom)));
      }
    }

    private void forget(Predicate<Labels> gone) {
      meter.collect().getDataPoints().stream()
          .map(DataPointSnapshot::getLabels)
          .filter(gone)
          .forEach(found -> meter.remove(in(found, labels).toArray(String[]::new)));
    }

    private static List<String> in(Labels found, List<String> names) {
      return names.stream().map(found::get).toList();
    }
  }

  /**
   * Removes the series of a deleted object, so that memory does not grow with every object there
   * ever was.
   */
  void forget(SortedMap<String, String> labels) {
    series.forEach(meter -> meter.forget(labels));
  }

  MetricSnapshots collect() {
    series.forEach(meter -> meter.forgetOutdated(custom));
    return registry.scrape();
  }

  /** A counter of events; label values are in the order of the labels. */
  interface Tally {
    void add(String... values);
  }

  /** A histogram of durations. */
  interface Timer {
    void took(Duration time, String... values);
  }

  Tally counter(String name, String help, String... labels) {
    Counter counter =
        Counter.builder()
            .name(PREFIX + name)
            .help(help)
            .labelNames(names(labels))
            .withoutExemplars()
            .register(registry);
    add(counter, labels);
    return values -> counter.labelValues(values(labels, values)).inc();
  }

  Timer timer(String name, String help, List<Double> bounds, String... labels) {
    Histogram histogram =
        Histogram.builder()
            .name(PREFIX + name)
            .help(help)
            .classicOnly()
            .classicUpperBounds(bounds.stream().mapToDouble(Double::doubleValue).toArray())
            .labelNames(names(labels))
            .withoutExemplars()
            .register(registry);
    add(histogram, labels);
    return (time, values) -> histogram.labelValues(values(labels, values)).observe(seconds(time));
  }

  private void add(StatefulMetric<?, ?> meter, String... labels) {
    List<String> own = List.of(labels);
    series.add(new Series(meter, List.of(names(labels)), own, custom.names(own)));
  }

  private String[] names(String... labels) {
    return complete(labels, ROLE, custom.names(List.of(labels)));
  }

  private String[] values(String[] labels, String[] values) {
    return complete(values, role.get(), custom.values(List.of(labels), List.of(values)));
  }

  private static String[] complete(String[] own, String role, List<String> custom) {
    return Stream.of(Stream.of(own), Stream.of(role), custom.stream())
        .flatMap(part -> part)
        .toArray(String[]::new);
  }

  private static double seconds(Duration time) {
    return time.isNegative() ? 0 : time.toNanos() / 1e9;
  }

  /** Bounds for waiting times: one second, then 2.5 and its doubles. */
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
