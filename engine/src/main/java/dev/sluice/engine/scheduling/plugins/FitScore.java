package dev.sluice.engine.scheduling.plugins;

import dev.sluice.engine.scheduling.cluster.NodeState;
import dev.sluice.engine.scheduling.cluster.PodSignature;
import dev.sluice.engine.scheduling.cluster.ResourceIndex;
import dev.sluice.engine.scheduling.framework.ResourceScoring;
import dev.sluice.engine.scheduling.framework.ResourceScoring.ResourceWeight;
import dev.sluice.engine.scheduling.framework.ResourceScoring.ShapePoint;
import dev.sluice.engine.scheduling.framework.ResourceScoring.Strategy;
import dev.sluice.model.Amounts;
import java.util.List;

/**
 * The score of NodeResourcesFit, from 0 to 100: the weighted utilization of a node's resources with
 * the pod on it.
 *
 * <p>A resource that the node does not offer is left out, and so is an extended resource that the
 * pod does not request. Containers that request no cpu or memory count as if they requested a
 * little.
 *
 * <p>Example: of 4 cpus 3 are used with the pod, and of 8 GiB 2 GiB. LeastAllocated scores 25 and
 * 75: 50 together, and (3·25 + 75) / 4 = 37 if cpu has weight 3.
 */
public final class FitScore {
  /** Shapes score from 0 to 10, plugins from 0 to 100. */
  private static final long PER_POINT = 10;

  private final ResourceScoring scoring;
  private final boolean byRatio;
  private final int[] resources;
  private final int[] weights;

  public FitScore(ResourceScoring scoring, ResourceIndex numbers) {
    this.scoring = scoring;
    this.byRatio = scoring.strategy() == Strategy.REQUESTED_TO_CAPACITY_RATIO;
    this.resources =
        scoring.resources().stream().mapToInt(one -> numbers.number(one.resource())).toArray();
    this.weights = scoring.resources().stream().mapToInt(ResourceWeight::weight).toArray();
  }

  public long of(PodSignature pod, NodeState node) {
    long sum = 0;
    long divisor = 0;
    for (int i = 0; i < resources.length; i++) {
      int resource = resources[i];
      long offered = node.facts().allocatable(resource);
      if (offered > 0 && (ResourceIndex.isEverywhere(resource) || pod.demand().of(resource) > 0)) {
        long score = score(taken(pod, node, resource), offered);
        if (score > 0 || !byRatio) {
          sum += score * weights[i];
          divisor += weights[i];
        }
      }
    }
    return divisor == 0 ? 0 : mean(sum, divisor);
  }

  /** Kubernetes truncates the mean, but rounds it for RequestedToCapacityRatio. */
  private long mean(long sum, long divisor) {
    return byRatio ? (2 * sum + divisor) / (2 * divisor) : sum / divisor;
  }

  private static long taken(PodSignature pod, NodeState node, int resource) {
    return switch (resource) {
      case ResourceIndex.CPU -> Amounts.sum(node.reckonedCpu(), pod.reckonedCpu());
      case ResourceIndex.MEMORY -> Amounts.sum(node.reckonedMemory(), pod.reckonedMemory());
      default -> Amounts.sum(node.requested(resource), pod.demand().of(resource));
    };
  }

  private long score(long taken, long offered) {
    long within = Math.min(taken, offered);
    return switch (scoring.strategy()) {
      case LEAST_ALLOCATED ->
          NodeLocalScores.share(offered - within, offered, NodeLocalScores.MOST);
      case MOST_ALLOCATED -> NodeLocalScores.share(within, offered, NodeLocalScores.MOST);
      case REQUESTED_TO_CAPACITY_RATIO ->
          onLine(NodeLocalScores.share(within, offered, NodeLocalScores.MOST));
    };
  }

  /** The score of a utilization from 0 to 100; constant beyond the ends of the shape. */
  private long onLine(long utilization) {
    List<ShapePoint> shape = scoring.shape();
    ShapePoint before = shape.getFirst();
    for (ShapePoint point : shape) {
      if (utilization <= point.utilization()) {
        int width = point.utilization() - before.utilization();
        long rise = PER_POINT * (point.score() - before.score());
        return PER_POINT * before.score()
            + (width == 0 ? 0 : rise * (utilization - before.utilization()) / width);
      }
      before = point;
    }
    return PER_POINT * before.score();
  }
}
