package dev.sluice.controllers.housekeeping;

import dev.sluice.model.CustomDefinition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.ObjectEvent;
import dev.sluice.runtime.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiConsumer;

/**
 * The kinds of the CustomResourceDefinitions, each watched from when it is first defined. A kind
 * whose definition is deleted stays known: its objects are gone, and their dependents must be
 * found.
 *
 * <p>Threads: {@link #follow} belongs to one controller; {@link #close} is safe.
 */
final class CustomKinds implements AutoCloseable {
  /** Stands for all definitions, as a key to reconcile. */
  static final ObjectKey DEFINITIONS = Kinds.CUSTOM_RESOURCE_DEFINITION.key("*");

  private record Watched(ResourceKind kind, Subscription watch) {}

  private final Cluster cluster;
  private final List<ResourceKind> others;
  private final BiConsumer<ResourceKind, ObjectEvent> listener;
  private final SortedMap<String, Watched> watched = new ConcurrentSkipListMap<>();
  private volatile boolean closed;

  /**
   * @param others kinds that are watched elsewhere
   */
  CustomKinds(
      Cluster cluster, List<ResourceKind> others, BiConsumer<ResourceKind, ObjectEvent> listener) {
    this.cluster = cluster;
    this.others = others;
    this.listener = listener;
  }

  /** The kinds that are defined now and served, without others that are known anyway. */
  static List<ResourceKind> defined(Cluster cluster, List<ResourceKind> others) {
    return cluster.list(Kinds.CUSTOM_RESOURCE_DEFINITION).stream()
        .flatMap(definition -> new CustomDefinition(definition).servedKind().stream())
        .filter(kind ->
            others.stream()
                .noneMatch(other -> other.qualifiedPlural().equals(kind.qualifiedPlural())))
        .toList();
  }

  /** The kinds that have been defined. */
  List<ResourceKind> kinds() {
    return watched.values().stream().map(Watched::kind).toList();
  }

  /** Watches the kinds that are defined now; returns those that are new. */
  List<ResourceKind> follow() {
    var added = new ArrayList<ResourceKind>();
    for (ResourceKind kind : defined(cluster, others)) {
      String name = kind.qualifiedPlural();
      Watched before = watched.get(name);
      if (before == null || !before.kind().equals(kind)) {
        watch(name, kind);
        added.add(kind);
      }
    }
    return added;
  }

  private void watch(String name, ResourceKind kind) {
    Subscription watch = cluster.watch(kind, event -> listener.accept(kind, event));
    Watched before = watched.put(name, new Watched(kind, watch));
    if (before != null) {
      before.watch().close();
    }
    if (closed) {
      close();
    }
  }

  @Override
  public void close() {
    closed = true;
    watched.values().forEach(kind -> kind.watch().close());
  }
}
