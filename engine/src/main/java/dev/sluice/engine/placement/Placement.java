package dev.sluice.engine.placement;

import dev.sluice.model.Amounts;
import java.math.BigInteger;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Where a pod goes. */
public sealed interface Placement {

  /** To this node. */
  record On(String node) implements Placement {}

  /** Nowhere yet; {@code message} says why. */
  record Nowhere(String message) implements Placement {}

  /**
   * The node that is least used with the pod on it, of those on which it fits; the first by name of
   * equals.
   *
   * @param nodes in the order of their names
   */
  static Placement of(PodNeeds pod, Collection<NodeRoom> nodes) {
    var reasons = new TreeMap<String, Integer>();
    Amounts assumed = NodeLoad.assumed(pod.requests());
    @Nullable NodeRoom best = null;
    long bestScore = -1;
    for (NodeRoom node : nodes) {
      List<String> obstacles = Fit.obstacles(pod, node);
      if (obstacles.isEmpty()) {
        long score = score(assumed, node);
        if (score > bestScore) {
          best = node;
          bestScore = score;
        }
      } else {
        obstacles.forEach(reason -> reasons.merge(reason, 1, Integer::sum));
      }
    }
    return best == null ? new Nowhere(message(nodes.size(), reasons)) : new On(best.name());
  }

  /** From 0 to 100: how much of cpu and memory stays free, on average. */
  public static long score(Amounts assumed, NodeRoom node) {
    long sum = 0;
    long resources = 0;
    for (String resource : List.of("cpu", "memory")) {
      long offered = node.allocatable().get(resource);
      if (offered > 0) {
        long taken = Amounts.sum(node.load().assumed().get(resource), assumed.get(resource));
        sum += taken > offered ? 0 : percent(offered - taken, offered);
        resources++;
      }
    }
    return resources == 0 ? 0 : sum / resources;
  }

  private static long percent(long part, long whole) {
    return part <= Long.MAX_VALUE / 100
        ? part * 100 / whole
        : BigInteger.valueOf(part)
            .multiply(BigInteger.valueOf(100))
            .divide(BigInteger.valueOf(whole))
            .longValue();
  }

  private static String message(int nodes, SortedMap<String, Integer> reasons) {
    if (nodes == 0) {
      return "no nodes available to schedule pods";
    }
    var counted = new TreeSet<String>();
    reasons.forEach((reason, count) -> counted.add(count + " " + reason));
    return "0/%d nodes are available: %s.".formatted(nodes, String.join(", ", counted));
  }
}
