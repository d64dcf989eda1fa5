package dev.sluice.simulator.report;

import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Value;
import dev.sluice.simulator.result.StepSeries;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Equal slices of a run, over which series are averaged, so that a chart stays small however long
 * the run was. An average keeps the area under a series, which is what a utilisation is about.
 */
final class TimeGrid {
  static final int SLICES = 400;

  private static final MathContext SHORT = new MathContext(5);

  private final double width;

  TimeGrid(Duration elapsed) {
    this.width = Math.max(seconds(elapsed), 1e-3) / SLICES;
  }

  static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }

  /** A number with few digits: a chart shows no more. */
  static Value number(double value) {
    return new Value.Decimal(new BigDecimal(value).round(SHORT).stripTrailingZeros());
  }

  /** The begin of every slice, in seconds. */
  Items times() {
    var times = new ArrayList<Value>(SLICES);
    for (int i = 0; i < SLICES; i++) {
      times.add(number(i * width));
    }
    return Items.of(times);
  }

  /** The average of a series in every slice. */
  double[] means(StepSeries series) {
    var sums = new double[SLICES];
    List<StepSeries.Step> steps = series.steps();
    for (int i = 0; i < steps.size(); i++) {
      double from = seconds(steps.get(i).at());
      double until = i + 1 < steps.size() ? seconds(steps.get(i + 1).at()) : SLICES * width;
      add(sums, from, until, steps.get(i).amount());
    }
    for (int i = 0; i < SLICES; i++) {
      sums[i] /= width;
    }
    return sums;
  }

  private void add(double[] sums, double from, double until, long amount) {
    for (int i = Math.clamp((long) (from / width), 0, SLICES - 1);
        i < SLICES && i * width < until;
        i++) {
      double begin = Math.max(from, i * width);
      double end = Math.min(until, (i + 1) * width);
      sums[i] += amount * Math.max(0, end - begin);
    }
  }

  static Items numbers(double[] values) {
    var items = new ArrayList<Value>(values.length);
    for (double value : values) {
      items.add(number(value));
    }
    return Items.of(items);
  }
}
