package dev.sluice.simulator.load;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** A distribution of lengths of time. */
public sealed interface Times {

  /** Always the same. */
  record Fixed(Duration length) implements Times {}

  /** Anything from {@code min} to just below {@code max}, equally likely. */
  record Uniform(Duration min, Duration max) implements Times {
    public Uniform {
      if (max.compareTo(min) < 0) {
        throw new IllegalArgumentException("max is below min");
      }
    }
  }

  record Exponential(Duration mean) implements Times {}

  /**
   * Times whose logarithms are normally distributed.
   *
   * @param sigma the standard deviation of the logarithm
   */
  record LogNormal(Duration median, double sigma) implements Times {}

  /** The longest time that is drawn: a draw beyond it is cut. */
  Duration MAX = Duration.ofDays(3650);

  /** The next length of time. */
  default Duration draw(RandomGenerator random) {
    return switch (this) {
      case Fixed(Duration length) -> length;
      case Uniform(Duration min, Duration max) when min.equals(max) -> min;
      case Uniform(Duration min, Duration max) ->
          min.plusNanos(random.nextLong(max.minus(min).toNanos()));
      case Exponential(Duration mean) -> scaled(mean, random.nextExponential());
      case LogNormal(Duration median, double sigma) ->
          scaled(median, StrictMath.exp(sigma * random.nextGaussian()));
    };
  }

  /** A time that is so many times as long, at most {@link #MAX}. */
  static Duration scaled(Duration unit, double factor) {
    double nanos = unit.toNanos() * factor;
    return nanos >= MAX.toNanos() ? MAX : Duration.ofNanos((long) nanos);
  }
}
