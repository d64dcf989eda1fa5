package dev.sluice.simulator.run;

import dev.sluice.model.Amounts;
import dev.sluice.model.ApiObject;
import dev.sluice.model.core.node.Node;
import dev.sluice.runtime.ObjectEvent;
import dev.sluice.simulator.result.RunResult.PoolSeries;
import dev.sluice.simulator.scenario.NodePool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Records what the nodes of each pool offer, and what the pods on them request. */
final class NodeRecorder {
  private record Key(String pool, String resource) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int order = pool.compareTo(other.pool);
      return order != 0 ? order : resource.compareTo(other.resource);
    }
  }

  private record Offer(String pool, Amounts amounts) {}

  private final Supplier<Duration> elapsed;
  private final TreeMap<String, Offer> nodes = new TreeMap<>();
  private final TreeMap<Key, SeriesRecorder> capacities = new TreeMap<>();
  private final TreeMap<Key, SeriesRecorder> allocations = new TreeMap<>();

  NodeRecorder(Supplier<Duration> elapsed) {
    this.elapsed = elapsed;
  }

  void changed(ObjectEvent event) {
    ApiObject node = event.object();
    Offer now = new Offer(node.label(NodePool.LABEL), new Node(node).allocatable());
    boolean gone = event.type() == ObjectEvent.Type.DELETED;
    Offer before = gone ? nodes.remove(node.name()) : nodes.put(node.name(), now);
    if (before != null && !gone && before.equals(now)) {
      return;
    }
    if (before != null) {
      add(capacities, before.pool(), before.amounts().times(-1));
    }
    if (!gone) {
      add(capacities, now.pool(), now.amounts());
    }
  }

  /** The pool of a node; empty if it has none. */
  String pool(String node) {
    Offer offer = nodes.get(node);
    return offer == null ? "" : offer.pool();
  }

  void allocated(String pool, Amounts amounts) {
    add(allocations, pool, amounts);
  }

  void released(String pool, Amounts amounts) {
    add(allocations, pool, amounts.times(-1));
  }

  private void add(Map<Key, SeriesRecorder> series, String pool, Amounts amounts) {
    amounts.forEach((resource, amount) ->
        series
            .computeIfAbsent(new Key(pool, resource), _ -> new SeriesRecorder())
            .add(elapsed.get(), amount));
  }

  List<PoolSeries> capacities() {
    return list(capacities);
  }

  List<PoolSeries> allocations() {
    return list(allocations);
  }

  private static List<PoolSeries> list(Map<Key, SeriesRecorder> recorded) {
    var list = new ArrayList<PoolSeries>();
    recorded.forEach(
        (key, series) -> list.add(new PoolSeries(key.pool(), key.resource(), series.series())));
    return list;
  }
}
