package dev.sluice.engine.scheduling.plugins;

import dev.sluice.engine.scheduling.cluster.ClusterState;
import dev.sluice.engine.scheduling.cluster.NodeState;
import dev.sluice.engine.scheduling.cluster.PodSignature;
import dev.sluice.model.Amounts;
import dev.sluice.model.core.node.PreferredNodeTerm;
import dev.sluice.model.core.node.Taint;
import java.math.BigInteger;
import java.util.List;

/**
 * The scores that depend on one node alone, apart from {@link FitScore} and {@link BalanceScore},
 * in whole numbers.
 */
public final class NodeLocalScores {
  public static final long MOST = 100;

  private static final long MIB = 1L << 20;
  private static final long LEAST_IMAGE = 23 * MIB;
  private static final long MAX_IMAGE_PER_CONTAINER = 1000 * MIB;

  private NodeLocalScores() {}

  /**
   * ImageLocality, from 0 to 100: how much of the pod's images is on the node; rare images count
   * less.
   */
  static long images(PodSignature pod, NodeState node, ClusterState cluster) {
    if (node.facts().images().isEmpty()) {
      return 0;
    }
    long sum = 0;
    for (String image : pod.images()) {
      Long size = node.facts().images().get(image);
      if (size != null) {
        sum = Amounts.sum(sum, share(size, cluster.nodeCount(), cluster.images().nodesWith(image)));
      }
    }
    long most = Math.max(1, pod.containers()) * MAX_IMAGE_PER_CONTAINER;
    long counted = Math.max(LEAST_IMAGE, Math.min(most, sum));
    return MOST * (counted - LEAST_IMAGE) / (most - LEAST_IMAGE);
  }

  /** The number of taints with effect PreferNoSchedule that the pod does not tolerate. */
  public static int unwantedTaints(PodSignature pod, NodeState node) {
    int count = 0;
    for (Taint taint : node.facts().taints()) {
      boolean unwanted = taint.effect().equals(Taint.PREFER_NO_SCHEDULE) && !pod.tolerates(taint);
      count += unwanted ? 1 : 0;
    }
    return count;
  }

  /** The total weight of the preferred terms that match a node. */
  static int wishes(List<PreferredNodeTerm> wishes, NodeState node) {
    int weight = 0;
    for (PreferredNodeTerm wish : wishes) {
      boolean matches = wish.matches(node.name(), node.facts().labels());
      weight += matches ? (int) wish.weight() : 0;
    }
    return weight;
  }

  /** {@code part * times / whole}, truncated, however large the product is. */
  static long share(long part, long whole, long times) {
    return part <= Long.MAX_VALUE / Math.max(1, times)
        ? part * times / whole
        : BigInteger.valueOf(part)
            .multiply(BigInteger.valueOf(times))
            .divide(BigInteger.valueOf(whole))
            .longValue();
  }
}
