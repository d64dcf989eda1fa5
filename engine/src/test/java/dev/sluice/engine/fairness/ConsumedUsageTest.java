package dev.sluice.engine.fairness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.Amounts;
import dev.sluice.model.Quantities;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ConsumedUsageTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final UsageDecay HOURLY = new UsageDecay(Duration.ofHours(1));

  private final ConsumedUsage usage =
      new ConsumedUsage(
          Quantities.of(Tree.of("cpu", "8", "memory", "3Gi", "nvidia.com/gpu", "1")), NOW);

  @Test
  void halfIsForgottenAfterTheHalfLife() {
    ConsumedUsage later = usage.decay(HOURLY, NOW.plusSeconds(3600));

    assertThat(later.consumed().tree())
        .isEqualTo(Tree.of("cpu", "4", "memory", "1610612736", "nvidia.com/gpu", "500m"));
    assertThat(later.lastUpdate()).isEqualTo(NOW.plusSeconds(3600));
  }

  @Test
  void aSampleCountsWhatIsAdmittedForTheTimeSinceTheLast() {
    ConsumedUsage later =
        usage.sample(HOURLY, Amounts.of("cpu", 2000), NOW.plus(Duration.ofHours(2)));

    assertThat(later.consumed().tree())
        .isEqualTo(Tree.of("cpu", "3500m", "memory", "805306368", "nvidia.com/gpu", "250m"));
  }

  @Test
  void steadyUseIsRememberedAsItIs() {
    ConsumedUsage steady = new ConsumedUsage(Quantities.of(Tree.of("cpu", "7")), NOW);
    for (int minute = 5; minute <= 600; minute += 5) {
      steady = steady.sample(HOURLY, Amounts.of("cpu", 7000), NOW.plus(Duration.ofMinutes(minute)));
    }

    assertThat(steady.consumed().tree()).isEqualTo(Tree.of("cpu", "7"));
  }

  @Test
  void theClockMayBeSetBack() {
    assertThat(usage.sample(HOURLY, Amounts.of("cpu", 2000), NOW.minusSeconds(1))).isEqualTo(usage);
  }

  @Test
  void withoutAHalfLifeNothingIsRemembered() {
    var forgetful = new UsageDecay(Duration.ZERO);
    Instant later = NOW.plusSeconds(1);

    assertThat(usage.sample(forgetful, Amounts.of("cpu", 2000), later))
        .isEqualTo(ConsumedUsage.none(later));
    assertThat(ConsumedUsage.penalty(forgetful, Amounts.of("cpu", 1), Duration.ofMinutes(5)))
        .isEqualTo(Quantities.NONE);
  }

  /** The numbers of docs/specification/fair-sharing.md#example-entry-penalty. */
  @Test
  void aTenCpuWorkloadIsPenalizedByAFewThousandths() {
    Quantities penalty =
        ConsumedUsage.penalty(
            new UsageDecay(Duration.ofDays(7)), Amounts.of("cpu", 10_000), Duration.ofMinutes(5));

    assertThat(penalty.tree()).isEqualTo(Tree.of("cpu", "3437639n"));
    assertThat(ConsumedUsage.none(NOW).plus(penalty).consumed()).isEqualTo(penalty);
  }

  @Test
  void aStatusHoldsItExactly() {
    ConsumedUsage odd = usage.decay(HOURLY, NOW.plusSeconds(777));

    ConsumedUsage readBack =
        new ConsumedUsage(Quantities.of(odd.consumed().tree()), odd.lastUpdate());

    assertThat(readBack).isEqualTo(odd);
    assertThat(odd.consumed().tree().text("memory")).doesNotContain("n");
  }

  @Test
  void forgottenUsageLeavesNothingBehind() {
    ConsumedUsage yearsLater = usage.decay(HOURLY, NOW.plus(Duration.ofDays(900)));

    assertThat(yearsLater.consumed()).isEqualTo(Quantities.NONE);
  }
}
