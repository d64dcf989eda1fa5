package dev.sluice.simulator.scenario;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Simulated nodes that are alike, and come and go together. Their names are that of the pool and a
 * number.
 *
 * @param resources quantities that each of them offers
 * @param until empty if they stay
 */
public record NodePool(
    String name,
    int count,
    Tree resources,
    Tree labels,
    List<Tree> taints,
    Duration from,
    Optional<Duration> until) {
  /** The label of a node: its pool. */
  public static final String LABEL = "sluice.dev/node-pool";

  private static final String SIMULATED = "kwok.x-k8s.io/node";
  private static final String HOST_NAME = "kubernetes.io/hostname";

  public NodePool {
    taints = List.copyOf(taints);
  }

  /** One of its nodes. */
  public ApiObject node(int number) {
    String node = name + "-" + number;
    Tree offered = resources.has("pods") ? resources : resources.with("pods", 110);
    ApiObject object =
        ApiObject.of(Kinds.NODE, "", node)
            .withAnnotation(SIMULATED, "fake")
            .withMetadata("labels", labels.with(LABEL, name).with(HOST_NAME, node))
            .withStatus(Tree.of("capacity", offered, "allocatable", offered));
    return taints.isEmpty() ? object : object.withSpec(Tree.of("taints", Items.of(taints)));
  }
}
