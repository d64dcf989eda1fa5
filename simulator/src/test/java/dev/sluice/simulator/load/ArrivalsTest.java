package dev.sluice.simulator.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ArrivalsTest {

  private static List<Duration> times(Arrivals arrivals) {
    var times = new ArrayList<Duration>();
    arrivals.draw(new SplittableRandom(7)).forEachRemaining(arrival -> times.add(arrival.at()));
    return times;
  }

  @Test
  void fixedArrivalsAreEvenlySpaced() {
    assertThat(times(new Arrivals.Fixed(3, Duration.ofSeconds(17), Duration.ofMinutes(1))))
        .containsExactly(Duration.ofSeconds(60), Duration.ofSeconds(77), Duration.ofSeconds(94));
  }

  @Test
  void poissonArrivalsComeAtTheirRateUntilTheirEnd() {
    var end = new Arrivals.End(OptionalInt.empty(), Optional.of(Duration.ofHours(100)));

    List<Duration> times = times(new Arrivals.Poisson(100, Duration.ZERO, end));

    // Five standard deviations of 10,000 arrivals.
    assertThat((double) times.size()).isCloseTo(10_000, within(500.0));
    assertThat(times).isSorted();
    assertThat(times.getLast()).isLessThanOrEqualTo(Duration.ofHours(100));
  }

  @Test
  void diurnalArrivalsPeakOnceADay() {
    var end = new Arrivals.End(OptionalInt.of(20_000), Optional.empty());

    List<Duration> times =
        times(new Arrivals.Diurnal(100, Duration.ofHours(14), 0.8, Duration.ZERO, end));

    assertThat(times).hasSize(20_000).isSorted();
    assertThat(times.getLast().toHours()).isBetween(180L, 220L);
    long day = times.stream().filter(time -> time.toHours() % 24 / 12 == 1).count();
    // With the peak at 14h the cosine has the mean 1 / pi between noon and midnight; a part of a
    // day
    // is at the end.
    assertThat(day / 20_000.0).isCloseTo((1 + 0.8 / Math.PI) / 2, within(0.04));
  }

  @Test
  void drawsHaveTheMeanOfTheirDistribution() {
    var random = new SplittableRandom(7);

    assertThat(mean(new Times.Exponential(Duration.ofSeconds(10)), random))
        .isCloseTo(10, within(0.3));
    assertThat(mean(new Times.Uniform(Duration.ofSeconds(10), Duration.ofSeconds(20)), random))
        .isCloseTo(15, within(0.1));
    assertThat(mean(new Times.LogNormal(Duration.ofSeconds(10), 0.5), random))
        .isCloseTo(10 * Math.exp(0.125), within(0.2));
  }

  private static double mean(Times times, SplittableRandom random) {
    double sum = 0;
    for (int i = 0; i < 50_000; i++) {
      sum += times.draw(random).toNanos() / 1e9;
    }
    return sum / 50_000;
  }
}
