package dev.sluice.controllers.queueing.metrics;

import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The values of all gauges at one time. */
final class Gauges {
  private final String role;
  private final CustomLabels custom;
  private final SortedMap<String, Family> families = new TreeMap<>();

  /** The values of one gauge. */
  private record Family(String help, List<GaugeDataPointSnapshot> points) {}

  Gauges(String role, CustomLabels custom) {
    this.role = role;
    this.custom = custom;
  }

  /**
   * Adds a value.
   *
   * @param labels names and values in turn
   */
  void set(String name, String help, double value, String... labels) {
    Labels all = Labels.of(labels).add(Meters.ROLE, role);
    List<String> names = everySecond(labels, 0);
    List<String> added = custom.names(names);
    List<String> values = custom.values(names, everySecond(labels, 1));
    for (int i = 0; i < added.size(); i++) {
      all = all.add(added.get(i), values.get(i));
    }
    put(name, help, value, all);
  }

  private static List<String> everySecond(String[] labels, int first) {
    return IntStream.iterate(first, i -> i < labels.length, i -> i + 2)
        .mapToObj(i -> labels[i])
        .toList();
  }

  /** Adds a value that is the same for every replica. */
  void setForAll(String name, String help, double value, String... labels) {
    put(name, help, value, Labels.of(labels));
  }

  private void put(String name, String help, double value, Labels labels) {
    families
        .computeIfAbsent(Meters.PREFIX + name, _ -> new Family(help, new ArrayList<>()))
        .points()
        .add(GaugeDataPointSnapshot.builder().labels(labels).value(value).build());
  }

  MetricSnapshots snapshots() {
    var snapshots = new ArrayList<MetricSnapshot>();
    families.forEach((name, family) -> {
      var gauge = GaugeSnapshot.builder().name(name).help(family.help());
      family.points().forEach(gauge::dataPoint);
      snapshots.add(gauge.build());
    });
    return new MetricSnapshots(snapshots);
  }
}
