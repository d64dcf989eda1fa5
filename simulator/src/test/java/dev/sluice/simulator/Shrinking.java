package dev.sluice.simulator;

import dev.sluice.simulator.scenario.Scenario;
import dev.sluice.simulator.scenario.ScenarioStep;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Makes a scenario that fails smaller: leaves out as many of its steps as it can, many at once
 * first, as long as what is left still fails.
 */
final class Shrinking {
  private final Predicate<Scenario> fails;
  private int triesLeft;

  /**
   * @param tries how often a smaller scenario may be tried
   */
  Shrinking(Predicate<Scenario> fails, int tries) {
    this.fails = fails;
    this.triesLeft = tries;
  }

  /** Goes on until nothing more can be left out: what was needed once need not be at the end. */
  Scenario shrink(Scenario failing) {
    List<ScenarioStep> steps = failing.steps();
    int before;
    do {
      before = steps.size();
      steps = shrinkOnce(steps);
    } while (steps.size() < before);
    return new Scenario(steps);
  }

  private List<ScenarioStep> shrinkOnce(List<ScenarioStep> failing) {
    List<ScenarioStep> steps = failing;
    for (int size = Math.max(1, steps.size() / 2); size >= 1; size /= 2) {
      int from = 0;
      while (from < steps.size() && triesLeft > 0) {
        var fewer = new ArrayList<>(steps);
        fewer.subList(from, Math.min(steps.size(), from + size)).clear();
        triesLeft--;
        if (fails.test(new Scenario(fewer))) {
          steps = fewer;
        } else {
          from += size;
        }
      }
    }
    return steps;
  }
}
