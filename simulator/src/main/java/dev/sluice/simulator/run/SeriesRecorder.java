package dev.sluice.simulator.run;

import dev.sluice.simulator.result.StepSeries;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Records an amount as it changes. Times are never earlier than the last one. */
final class SeriesRecorder {
  private final List<StepSeries.Step> steps = new ArrayList<>();
  private long amount;

  void add(Duration at, long change) {
    amount += change;
    if (!steps.isEmpty() && steps.getLast().at().equals(at)) {
      steps.removeLast();
    }
    long before = steps.isEmpty() ? 0 : steps.getLast().amount();
    if (amount != before) {
      steps.add(new StepSeries.Step(at, amount));
    }
  }

  StepSeries series() {
    return new StepSeries(steps);
  }
}
