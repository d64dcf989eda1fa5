package dev.sluice.simulator.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.simulator.result.StepSeries.Step;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepSeriesTest {
  private final StepSeries series =
      new StepSeries(
          List.of(new Step(seconds(10), 4), new Step(seconds(20), 2), new Step(seconds(30), 0)));

  private static Duration seconds(long count) {
    return Duration.ofSeconds(count);
  }

  @Test
  void amountHoldsFromItsStepUntilTheNext() {
    assertThat(series.at(seconds(9))).isZero();
    assertThat(series.at(seconds(10))).isEqualTo(4);
    assertThat(series.at(seconds(19))).isEqualTo(4);
    assertThat(series.at(seconds(20))).isEqualTo(2);
    assertThat(series.at(seconds(99))).isZero();
    assertThat(series.max()).isEqualTo(4);
  }

  @Test
  void amountOverTimeCountsOnlyThePartsBetween() {
    assertThat(series.over(Duration.ZERO, seconds(100))).isEqualTo(60);
    assertThat(series.over(seconds(15), seconds(25))).isEqualTo(30);
    assertThat(series.over(seconds(40), seconds(50))).isZero();
    assertThat(series.over(seconds(25), seconds(15))).isZero();
  }

  @Test
  void lastAmountHoldsForever() {
    var open = new StepSeries(List.of(new Step(seconds(5), 1)));

    assertThat(open.over(Duration.ZERO, seconds(20))).isEqualTo(15);
    assertThat(new StepSeries(List.of()).at(seconds(5))).isZero();
  }
}
