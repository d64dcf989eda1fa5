package dev.sluice.engine.scheduling.plugins;

import dev.sluice.engine.scheduling.cluster.ClusterState;
import dev.sluice.engine.scheduling.cluster.NodeState;
import dev.sluice.engine.scheduling.cluster.PodSignature;
import dev.sluice.engine.scheduling.cluster.ResourceIndex;
import dev.sluice.engine.scheduling.framework.Plugin;
import dev.sluice.engine.scheduling.framework.Profile;

/** The scores of a profile that depend on one node alone. */
public final class NodeScores {
  private final Profile profile;
  private final FitScore fit;
  private final BalanceScore balance;
  private final int fitWeight;
  private final int balanceWeight;
  private final int imageWeight;
  private final long taintWeight;
  private final long wishWeight;

  public NodeScores(Profile profile, ResourceIndex resources) {
    this.profile = profile;
    this.fit = new FitScore(profile.fit().scoring(), resources);
    this.balance = new BalanceScore(profile.balanced(), resources);
    this.fitWeight = profile.weight(Plugin.NODE_RESOURCES_FIT);
    this.balanceWeight = profile.weight(Plugin.BALANCED_ALLOCATION);
    this.imageWeight = profile.weight(Plugin.IMAGE_LOCALITY);
    this.taintWeight = profile.weight(Plugin.TAINT_TOLERATION);
    this.wishWeight = profile.weight(Plugin.NODE_AFFINITY);
  }

  /** NodeResourcesFit, NodeResourcesBalancedAllocation and ImageLocality together, weighted. */
  public long of(PodSignature pod, NodeState node, ClusterState cluster) {
    return (fitWeight == 0 ? 0 : fitWeight * fit.of(pod, node))
        + (balanceWeight == 0 ? 0 : balanceWeight * balance.of(pod, node))
        + (imageWeight == 0 ? 0 : imageWeight * NodeLocalScores.images(pod, node, cluster));
  }

  /** The weight of TaintToleration, which is normalized over all feasible nodes. */
  public long taintWeight() {
    return taintWeight;
  }

  /** The weight of NodeAffinity, which is normalized over all feasible nodes. */
  public long wishWeight() {
    return wishWeight;
  }

  /** The weight of the preferred terms that match a node: the pod's and the profile's. */
  public int wishes(PodSignature pod, NodeState node) {
    return NodeLocalScores.wishes(pod.preferences(), node)
        + NodeLocalScores.wishes(profile.added().preferred(), node);
  }
}
