package dev.sluice.simulator.result;

import java.time.Duration;
import java.util.List;

/**
 * Lengths of time in seconds, as a few figures. A percentile is the smallest value that is not
 * below so many percent of all values.
 *
 * @param count without a value the figures are zero
 */
public record Distribution(int count, double mean, double p50, double p95, double p99, double max) {
  private static final double NANOS_PER_SECOND = 1e9;

  public static Distribution of(List<Duration> times) {
    List<Duration> sorted = times.stream().sorted().toList();
    double sum = 0;
    for (Duration time : sorted) {
      sum += seconds(time);
    }
    return new Distribution(
        sorted.size(),
        sorted.isEmpty() ? 0 : sum / sorted.size(),
        percentile(sorted, 50),
        percentile(sorted, 95),
        percentile(sorted, 99),
        percentile(sorted, 100));
  }

  /** A percentile of times, in seconds; zero if there are none. */
  public static double percentile(List<Duration> sorted, double percent) {
    if (sorted.isEmpty()) {
      return 0;
    }
    int rank = (int) Math.ceil(sorted.size() * percent / 100);
    return seconds(sorted.get(Math.max(0, rank - 1)));
  }

  public static double seconds(Duration time) {
    return time.toNanos() / NANOS_PER_SECOND;
  }
}
