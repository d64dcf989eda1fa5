package dev.sluice.simulator.result;

import java.time.Duration;
import java.util.List;

/**
 * An amount that changes at certain times, and is zero before the first of them. The times grow
 * strictly, and each step changes the amount.
 */
public record StepSeries(List<Step> steps) {
  private static final double NANOS_PER_SECOND = 1e9;

  public StepSeries {
    steps = List.copyOf(steps);
  }

  /** A time since the start of the run, and the amount from then on. */
  public record Step(Duration at, long amount) {}

  /** The amount at a time. */
  public long at(Duration time) {
    int place = last(time);
    return place < 0 ? 0 : steps.get(place).amount();
  }

  /** The place of the last step that is not later than a time; -1 if there is none. */
  private int last(Duration time) {
    int low = 0;
    int high = steps.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (steps.get(middle).at().compareTo(time) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  public long max() {
    return steps.stream().mapToLong(Step::amount).max().orElse(0);
  }

  /** The amount over the time between, as amount times seconds. */
  public double over(Duration from, Duration until) {
    double sum = 0;
    for (int i = Math.max(0, last(from));
        i < steps.size() && steps.get(i).at().compareTo(until) < 0;
        i++) {
      Duration begin = max(steps.get(i).at(), from);
      Duration end = i + 1 < steps.size() ? min(steps.get(i + 1).at(), until) : until;
      if (begin.compareTo(end) < 0) {
        sum += steps.get(i).amount() * (end.minus(begin).toNanos() / NANOS_PER_SECOND);
      }
    }
    return sum;
  }

  private static Duration max(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }
}
