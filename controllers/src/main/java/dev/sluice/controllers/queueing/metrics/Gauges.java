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

/** Collects the values of gauges at one moment. */
final class Gauges {
  private final String role;
  private final SortedMap<String, Family> families = new TreeMap<>();

  /** All values of one gauge. */
  private record Family(String help, List<GaugeDataPointSnapshot> points) {}

  Gauges(String role) {
    this.role = role;
  }

  /**
   * Notes a value.
   *
   * @param labels names and values in turn
   */
  void set(String name, String help, double value, String... labels) {
    put(name, help, value, Labels.of(labels).add(Meters.ROLE, role));
  }

  /** Notes a value that is the same for every replica. */
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
