package dev.sluice.engine.scheduling.framework;

import java.util.List;

/**
 * How NodeResourcesFit likes nodes: by how much of their resources would be taken.
 *
 * @param shape what a share that is taken is worth, the lowest share first; only for {@link
 *     Strategy#REQUESTED_TO_CAPACITY_RATIO}
 */
public record ResourceScoring(
    Strategy strategy, List<ResourceWeight> resources, List<ShapePoint> shape) {

  /** What makes a node a good one. */
  public enum Strategy {
    /** Much is left. */
    LEAST_ALLOCATED("LeastAllocated"),
    /** Much is taken, so that other nodes stay empty. */
    MOST_ALLOCATED("MostAllocated"),
    /** What the shape says of the share that is taken. */
    REQUESTED_TO_CAPACITY_RATIO("RequestedToCapacityRatio");

    private final String word;

    Strategy(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }
  }

  /** How much a resource counts beside others. */
  public record ResourceWeight(String resource, int weight) {}

  /**
   * One point of a line that is straight between its points.
   *
   * @param utilization how much is taken, from 0 to 100
   * @param score what that is worth, from 0 to 10
   */
  public record ShapePoint(int utilization, int score) {}

  /** Cpu and memory alike. */
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
