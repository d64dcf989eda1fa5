package dev.sluice.engine.scheduling.framework;

import java.util.List;

/**
 * The scoring strategy of NodeResourcesFit, by the utilization of a node's resources.
 *
 * @param shape the score by utilization, the lowest utilization first; only for {@link
 *     Strategy#REQUESTED_TO_CAPACITY_RATIO}
 */
public record ResourceScoring(
    Strategy strategy, List<ResourceWeight> resources, List<ShapePoint> shape) {

  /** Which nodes get the higher score. */
  public enum Strategy {
    /** Nodes with much left. */
    LEAST_ALLOCATED("LeastAllocated"),
    /** Nodes with much allocated, so that others stay empty. */
    MOST_ALLOCATED("MostAllocated"),
    /** As the shape says. */
    REQUESTED_TO_CAPACITY_RATIO("RequestedToCapacityRatio");

    private final String word;

    Strategy(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }
  }

  /** The weight of a resource in the score. */
  public record ResourceWeight(String resource, int weight) {}

  /**
   * A point of the shape, which is linear between its points.
   *
   * @param utilization the utilization, from 0 to 100
   * @param score its score, from 0 to 10
   */
  public record ShapePoint(int utilization, int score) {}

  /** Cpu and memory with equal weight. */
  public static final List<ResourceWeight> USUAL_RESOURCES =
      List.of(new ResourceWeight("cpu", 1), new ResourceWeight("memory", 1));

  public static final ResourceScoring DEFAULT =
      new ResourceScoring(Strategy.LEAST_ALLOCATED, USUAL_RESOURCES, List.of());

  public ResourceScoring {
    resources = List.copyOf(resources);
    shape = List.copyOf(shape);
    if (strategy == Strategy.REQUESTED_TO_CAPACITY_RATIO && shape.isEmpty()) {
      throw new IllegalArgumentException("a ratio is worth nothing without a shape");
    }
  }
}
