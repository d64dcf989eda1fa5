package dev.sluice.simulator.result;

import java.util.List;

/**
 * The mean over several seeds.
 *
 * @param halfWidth of its 95 % confidence interval; zero with one seed
 */
public record Estimate(double mean, double halfWidth, int seeds) {

  /** The 97.5 % quantiles of Student's t distribution for 1 to 30 degrees of freedom. */
  private static final double[] STUDENT = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042
  };

  private static final double NORMAL = 1.96;

  /**
   * The estimate from the value of each seed.
   *
   * @param values at least one
   */
  public static Estimate of(List<Double> values) {
    int count = values.size();
    double mean = values.stream().mapToDouble(Double::doubleValue).sum() / count;
    if (count == 1) {
      return new Estimate(mean, 0, 1);
    }
    double squares = values.stream().mapToDouble(value -> (value - mean) * (value - mean)).sum();
    double quantile = count - 2 < STUDENT.length ? STUDENT[count - 2] : NORMAL;
    return new Estimate(mean, quantile * Math.sqrt(squares / (count - 1) / count), count);
  }
}
