package dev.sluice.engine.placement;

import dev.sluice.model.Amounts;
import dev.sluice.model.core.Node;
import dev.sluice.model.core.Taint;
import java.util.List;
import java.util.SortedMap;

/**
 * A node as the scheduler sees it: what it offers and what its pods took of that.
 *
 * @param taints those that keep pods away
 * @param load what its pods took
 */
public record NodeRoom(
    String name,
    SortedMap<String, String> labels,
    List<Taint> taints,
    boolean unschedulable,
    boolean ready,
    Amounts allocatable,
    NodeLoad load) {

  public NodeRoom {
    taints = List.copyOf(taints);
  }

  public static NodeRoom of(Node node, NodeLoad load) {
    return new NodeRoom(
        node.name(),
        node.labels(),
        node.taints().stream().filter(Taint::repels).toList(),
        node.isUnschedulable(),
        node.isReady(),
        node.allocatable(),
        load);
  }

  public NodeRoom with(NodeLoad changed) {
    return new NodeRoom(name, labels, taints, unschedulable, ready, allocatable, changed);
  }

  public long free(String resource) {
    return Amounts.difference(allocatable.get(resource), load.requested().get(resource));
  }
}
