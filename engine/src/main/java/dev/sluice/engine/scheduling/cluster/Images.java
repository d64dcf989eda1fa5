package dev.sluice.engine.scheduling.cluster;

import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The container images on nodes, with the number of nodes that have each. */
public final class Images {
  private final TreeMap<String, Integer> nodesByImage = new TreeMap<>();

  /**
   * Replaces the images of a node.
   *
   * @return whether nodes must be scored again, because any of them has images
   */
  boolean replace(@Nullable NodeFacts before, @Nullable NodeFacts now) {
    boolean hadAny = !nodesByImage.isEmpty();
    boolean same = before != null && now != null && before.images().equals(now.images());
    if (!same) {
      if (before != null) {
        before.images().keySet().forEach(image -> count(image, -1));
      }
      if (now != null) {
        now.images().keySet().forEach(image -> count(image, 1));
      }
    }
    return !same && (hadAny || !nodesByImage.isEmpty());
  }

  private void count(String image, int change) {
    int nodes = nodesByImage.merge(image, change, Integer::sum);
    if (nodes == 0) {
      nodesByImage.remove(image);
    }
  }

  public int nodesWith(String image) {
    return nodesByImage.getOrDefault(image, 0);
  }
}
