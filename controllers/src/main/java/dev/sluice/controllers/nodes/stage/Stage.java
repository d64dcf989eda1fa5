package dev.sluice.controllers.nodes.stage;

import dev.sluice.model.bounds.ExceededException;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * One stage in the life of simulated objects, with compiled selectors and templates.
 *
 * <p>Threads: safe.
 */
public final class Stage {
  private final String name;
  private final Optional<Selector> selector;
  private final Weight weight;
  private final Delay delay;
  private final boolean goesOnAtOnce;
  private final List<StageStep> steps;

  Stage(
      String name,
      Optional<Selector> selector,
      Weight weight,
      Delay delay,
      boolean goesOnAtOnce,
      List<StageStep> steps) {
    this.name = name;
    this.selector = selector;
    this.weight = weight;
    this.delay = delay;
    this.goesOnAtOnce = goesOnAtOnce;
    this.steps = List.copyOf(steps);
  }

  public String name() {
    return name;
  }

  /** Whether the next stage is chosen without waiting for the watch. */
  public boolean goesOnAtOnce() {
    return goesOnAtOnce;
  }

  public List<StageStep> steps() {
    return steps;
  }

  /** The stage without its first steps, which are done. */
  public Stage after(int steps) {
    return new Stage(
        name, selector, weight, delay, goesOnAtOnce, this.steps.subList(steps, this.steps.size()));
  }

  /**
   * The delay before an object enters this stage.
   *
   * @throws StageStoppedException if the stage exceeds its budget
   */
  public Duration delay(Tree object, Moment moment) {
    return bounded(() -> delay.of(object, moment));
  }

  /** Evaluates expressions of this stage. */
  private <T> T bounded(Supplier<T> evaluation) {
    try {
      return evaluation.get();
    } catch (ExceededException exceeded) {
      throw new StageStoppedException(this, String.valueOf(exceeded.getMessage()));
    }
  }

  /**
   * Chooses the next stage of an object.
   *
   * <p>Of several that match, one is drawn at random by weight. Weights that are invalid count only
   * if all are, and then, or if all are zero, every stage is equally likely.
   *
   * @throws StageStoppedException if one of them exceeds its budget
   */
  public static Optional<Stage> next(List<Stage> stages, Tree object, Moment moment) {
    var matching = new ArrayList<Stage>();
    for (Stage stage : stages) {
      if (stage.matches(object, moment)) {
        matching.add(stage);
      }
    }
    if (matching.size() <= 1) {
      return matching.stream().findFirst();
    }
    var readable = new ArrayList<Stage>();
    var weights = new ArrayList<Long>();
    for (Stage stage : matching) {
      OptionalLong weight = stage.bounded(() -> stage.weight.of(object, moment.forStage()));
      if (weight.isPresent()) {
        readable.add(stage);
        weights.add(Math.max(0, weight.getAsLong()));
      }
    }
    return Optional.of(drawn(readable.isEmpty() ? matching : readable, weights, moment));
  }

  private boolean matches(Tree object, Moment moment) {
    return selector.isPresent() && bounded(() -> selector.get().matches(object, moment.forStage()));
  }

  private static Stage drawn(List<Stage> stages, List<Long> weights, Moment moment) {
    long sum = weights.stream().mapToLong(Long::longValue).reduce(0, Stage::saturated);
    if (sum == 0) {
      return stages.get(moment.random().nextInt(stages.size()));
    }
    long left = moment.random().nextLong(sum);
    int index = 0;
    while (left >= weights.get(index)) {
      left -= weights.get(index);
      index++;
    }
    return stages.get(index);
  }

  private static long saturated(long one, long other) {
    return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
  }
}
