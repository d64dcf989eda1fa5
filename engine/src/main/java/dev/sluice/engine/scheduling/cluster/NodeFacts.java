package dev.sluice.engine.scheduling.cluster;

import dev.sluice.model.core.node.Node;
import dev.sluice.model.core.node.Taint;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A node as the scheduler sees it: its labels, taints, images and allocatable resources, without
 * its pods.
 */
public final class NodeFacts {
  private static final String REGION = "topology.kubernetes.io/region";
  private static final String ZONE = "topology.kubernetes.io/zone";

  private final String name;
  private final SortedMap<String, String> labels;
  private final List<Taint> taints;
  private final boolean unschedulable;
  private final long[] allocatable;
  private final SortedMap<String, Long> images;

  private NodeFacts(Node node, ResourceIndex resources) {
    this.name = node.name();
    this.labels = node.labels();
    this.taints = node.taints();
    this.unschedulable = node.isUnschedulable();
    this.images = node.images();
    long[] amounts = new long[8];
    for (var offered : node.allocatable().byResource().entrySet()) {
      int resource = resources.number(offered.getKey());
      amounts = resource < amounts.length ? amounts : Arrays.copyOf(amounts, resource + 8);
      amounts[resource] = offered.getValue();
    }
    this.allocatable = amounts;
  }

  static NodeFacts of(Node node, ResourceIndex resources) {
    return new NodeFacts(node, resources);
  }

  public String name() {
    return name;
  }

  public SortedMap<String, String> labels() {
    return labels;
  }

  @Nullable
  public String label(String key) {
    return labels.get(key);
  }

  public List<Taint> taints() {
    return taints;
  }

  public boolean unschedulable() {
    return unschedulable;
  }

  public long allocatable(int resource) {
    return ResourceIndex.get(allocatable, resource);
  }

  public SortedMap<String, Long> images() {
    return images;
  }

  /** The key by which {@link NodeOrder} alternates between zones. */
  String zone() {
    return labels.getOrDefault(REGION, "") + "/" + labels.getOrDefault(ZONE, "");
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NodeFacts node
        && name.equals(node.name)
        && unschedulable == node.unschedulable
        && labels.equals(node.labels)
        && taints.equals(node.taints)
        && Arrays.equals(allocatable, node.allocatable)
        && images.equals(node.images);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }
}
