package dev.sluice.controllers.nodes.lifecycle;

import dev.sluice.model.core.node.Node;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The rate at which nodes get NoExecute taints: one every ten seconds in a zone. Where many nodes
 * of a zone are not ready, the cause is more likely the network than the nodes: then a large zone
 * slows down and a small one stops, and if no node at all is ready, none is tainted.
 *
 * <p>Threads: none; belongs to a controller.
 */
final class ZoneHealth {
  private static final Duration PAUSE = Duration.ofSeconds(10);
  private static final Duration LONG_PAUSE = Duration.ofSeconds(100);
  private static final int FEWEST_LOST = 3;
  private static final int LOST_PERCENT = 55;
  private static final int LARGE = 50;

  private final TreeMap<String, Instant> lastGivenUp = new TreeMap<>();

  /** Whether any node is ready; if not, the reports cannot be trusted. */
  static boolean anyReady(List<Node> nodes) {
    return nodes.stream().anyMatch(Node::isReady);
  }

  /** How long to wait before a node of this zone may be tainted; empty if that is stopped. */
  Optional<Duration> pause(Node node, List<Node> nodes, Instant now) {
    String zone = zone(node);
    List<Node> others = nodes.stream().filter(other -> zone(other).equals(zone)).toList();
    Optional<Duration> between = between(others);
    Instant last = lastGivenUp.get(zone);
    return last == null
        ? between.map(_ -> Duration.ZERO)
        : between.map(pause -> Duration.between(now, last.plus(pause)));
  }

  void givenUp(Node node, Instant now) {
    lastGivenUp.put(zone(node), now);
  }

  private static Optional<Duration> between(List<Node> zone) {
    long lost = zone.stream().filter(node -> !node.isReady()).count();
    boolean whole = lost == zone.size();
    boolean much = lost >= FEWEST_LOST && lost * 100 >= LOST_PERCENT * (long) zone.size();
    if (!much || whole) {
      return Optional.of(PAUSE);
    }
    return zone.size() > LARGE ? Optional.of(LONG_PAUSE) : Optional.empty();
  }

  private static String zone(Node node) {
    return node.labels().getOrDefault("topology.kubernetes.io/region", "")
        + "/"
        + node.labels().getOrDefault("topology.kubernetes.io/zone", "");
  }
}
