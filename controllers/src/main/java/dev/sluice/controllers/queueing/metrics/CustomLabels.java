package dev.sluice.controllers.queueing.metrics;

import dev.sluice.controllers.configuration.CustomLabel;
import dev.sluice.controllers.configuration.CustomLabel.Source;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.runtime.Cluster;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;

/**
 * The custom labels of metric series, by the object that a series is about: a LocalQueue, a
 * ClusterQueue or a cohort. Their values are read from the objects each time.
 *
 * <p>Threads: safe.
 */
final class CustomLabels {
  private static final int MAX_LENGTH = 256;

  /** The number of distinct values from LocalQueues, which tenants can label as they like. */
  private static final int MAX_TENANT_VALUES = 100;

  private final Cluster cluster;
  private final List<CustomLabel> labels;
  private final SortedMap<String, SortedSet<String>> tenantValues = new ConcurrentSkipListMap<>();

  CustomLabels(Cluster cluster, List<CustomLabel> labels) {
    this.cluster = cluster;
    this.labels = labels;
  }

  /** The names of the custom labels of a series with these labels. */
  List<String> names(List<String> series) {
    return of(source(series)).map(CustomLabel::metricLabel).toList();
  }

  /**
   * The values of the custom labels of a series with these label values, in the order of the names.
   */
  List<String> values(List<String> series, List<String> values) {
    Optional<Source> source = source(series);
    if (of(source).findAny().isEmpty()) {
      return List.of();
    }
    ObjectKey key =
        switch (source.orElseThrow()) {
          case LOCAL_QUEUE ->
              Kinds.LOCAL_QUEUE.key(
                  values.get(series.indexOf("namespace")), values.get(series.indexOf("name")));
          case CLUSTER_QUEUE -> Kinds.CLUSTER_QUEUE.key(values.get(clusterQueue(series)));
          case COHORT -> Kinds.COHORT.key(values.get(series.indexOf("cohort")));
          case WORKLOAD -> throw new IllegalStateException("no series is about one workload");
        };
    Optional<ApiObject> object = cluster.get(key);
    return of(source).map(label -> value(label, object)).toList();
  }

  /** The kind of object that a series is about, if it is about one. */
  private static Optional<Source> source(List<String> series) {
    if (series.contains("namespace")) {
      return Optional.of(Source.LOCAL_QUEUE);
    }
    if (clusterQueue(series) >= 0) {
      return Optional.of(Source.CLUSTER_QUEUE);
    }
    return series.contains("cohort") ? Optional.of(Source.COHORT) : Optional.empty();
  }

  private static int clusterQueue(List<String> series) {
    return Math.max(series.indexOf("cluster_queue"), series.indexOf("preempting_cluster_queue"));
  }

  private Stream<CustomLabel> of(Optional<Source> source) {
    return labels.stream().filter(label -> source.filter(label.source()::equals).isPresent());
  }

  boolean hasWorkloadLabels() {
    return of(Optional.of(Source.WORKLOAD)).findAny().isPresent();
  }

  /** The custom labels of a workload: names and values in turn. */
  List<String> ofWorkload(String namespace, String name) {
    Optional<ApiObject> workload = cluster.get(Kinds.WORKLOAD.key(namespace, name));
    return of(Optional.of(Source.WORKLOAD))
        .flatMap(label -> Stream.of(label.metricLabel(), value(label, workload)))
        .toList();
  }

  private String value(CustomLabel label, Optional<ApiObject> object) {
    String value = object.map(label::valueIn).orElse("");
    boolean tracked =
        label.tracked().isEmpty()
            ? value.length() <= MAX_LENGTH && isKnown(label, value)
            : label.tracked().contains(value);
    return tracked ? value : CustomLabel.UNTRACKED;
  }

  private boolean isKnown(CustomLabel label, String value) {
    if (value.isEmpty() || label.source() != Source.LOCAL_QUEUE) {
      return true;
    }
    SortedSet<String> known =
        tenantValues.computeIfAbsent(label.name(), _ -> new ConcurrentSkipListSet<>());
    return known.contains(value) || (known.size() < MAX_TENANT_VALUES && known.add(value));
  }
}
