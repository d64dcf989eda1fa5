package dev.sluice.controllers.nodes.usage;

import dev.sluice.controllers.nodes.SimulationSettings;
import dev.sluice.controllers.nodes.cel.CelLanguage;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.MetricPages;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;

/**
 * The metrics pages of simulated nodes, which Metric objects describe. The default page, with a
 * kubelet's resource metrics, is served as long as no Metric of a user has its path.
 *
 * <p>Threads: safe.
 */
public final class SimulatedUsage implements MetricPages {
  private static final String NODE_NAME = "{nodeName}";

  /** Created with the first page: most pages are never read, and it is expensive. */
  private static final class Language {
    static final CelLanguage OF_METRICS = new CelLanguage(Usages.VARIABLES, Reading.FUNCTIONS);
  }

  private final Cluster cluster;
  private final SimulationSettings settings;
  private final PodsOnNodes pods;
  private final UsageCounters meters = new UsageCounters();
  private final Programs ofUsage = Usages.programs();
  private final Programs ofMetrics = metricPrograms();

  public SimulatedUsage(Cluster cluster, SimulationSettings settings) {
    this.cluster = cluster;
    this.settings = settings;
    this.pods = new PodsOnNodes(cluster);
  }

  static Programs metricPrograms() {
    return new Programs(() -> Language.OF_METRICS);
  }

  @Override
  public Optional<String> page(String path) {
    var page = new MetricPage(ofMetrics, cluster.time().now(), cluster.random());
    boolean found = false;
    for (MetricTable table : tables()) {
      Optional<List<ApiObject>> nodes = concerned(table.path(), path);
      found |= nodes.isPresent();
      nodes.map(this::readings).orElse(List.of()).forEach(reading -> page.add(table, reading));
    }
    return found ? Optional.of(page.text()) : Optional.empty();
  }

  private List<MetricTable> tables() {
    var tables = new ArrayList<>(cluster.list(Kinds.METRIC).stream().map(this::read).toList());
    List<String> taken = tables.stream().map(MetricTable::path).toList();
    OwnDocuments.METRICS.stream()
        .map(this::read)
        .filter(own -> !taken.contains(own.path()))
        .forEach(tables::add);
    return tables;
  }

  private MetricTable read(ApiObject object) {
    return MetricTable.read(object, ofMetrics, new ValidationErrors());
  }

  /** The nodes that a path is about, if it is that of a Metric: one of them, or all. */
  private Optional<List<ApiObject>> concerned(String wanted, String path) {
    int at = wanted.indexOf(NODE_NAME);
    if (at < 0) {
      return wanted.equals(path) ? Optional.of(nodes().toList()) : Optional.empty();
    }
    String before = wanted.substring(0, at);
    String after = wanted.substring(at + NODE_NAME.length());
    if (path.length() < before.length() + after.length()
        || !path.startsWith(before)
        || !path.endsWith(after)) {
      return Optional.empty();
    }
    String name = path.substring(before.length(), path.length() - after.length());
    return cluster.get(Kinds.NODE.key(name)).filter(settings::manages).map(List::of);
  }

  /** The simulated nodes, by name. */
  Stream<ApiObject> nodes() {
    return cluster.list(Kinds.NODE).stream().filter(settings::manages);
  }

  /** A node, simulated or not, if it exists. */
  Optional<ApiObject> node(String name) {
    return cluster.get(Kinds.NODE.key(name));
  }

  /** The running pods of a node, simulated or not. */
  List<Pod> running(String node) {
    return pods.at(cluster.time().now()).getOrDefault(node, List.of());
  }

  /** The current usage of nodes and their pods. */
  List<Reading> readings(List<ApiObject> nodes) {
    Instant now = cluster.time().now();
    var usages = new Usages(cluster, ofUsage, now);
    SortedMap<String, List<Pod>> running = pods.at(now);
    return nodes.stream()
        .map(node ->
            new Reading(node, running.getOrDefault(node.name(), List.of()), usages, meters, now))
        .toList();
  }
}
