package dev.sluice.engine.fairness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.model.Amounts;
import dev.sluice.model.Quantity;
import java.time.Duration;
import java.time.Instant;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UsageAccountsTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Amounts TEN_CPUS = Amounts.of("cpu", 10_000);

  private final UsageAccounts accounts =
      new UsageAccounts(Duration.ofHours(24), HOUR, new TreeMap<>());

  @BeforeEach
  void twoQueuesThatUsedNothing() {
    accounts.open("ns/a", Quantity.of(1), ConsumedUsage.none(START));
    accounts.open("ns/b", Quantity.of(1), ConsumedUsage.none(START));
    accounts.advance(START);
  }

  @Test
  void aChargeCountsAtOnceAndUntilItIsForgiven() {
    assertThat(accounts.compare("ns/a", "ns/b")).isZero();

    accounts.charge("ns/a", "ns/workload", TEN_CPUS);
    assertThat(accounts.compare("ns/a", "ns/b")).isPositive();

    accounts.forgive("ns/workload");
    assertThat(accounts.compare("ns/a", "ns/b")).isZero();
  }

  @Test
  void aSettledChargeIsPartOfTheUsageAndCountsOnce() {
    accounts.charge("ns/a", "ns/workload", TEN_CPUS);
    WeightedUsage charged = accounts.usage("ns/a");

    accounts.settle("ns/workload", Amounts.NONE, START);
    accounts.settle("ns/workload", Amounts.NONE, START);

    assertThat(accounts.usage("ns/a")).isEqualByComparingTo(charged);
  }

  @Test
  void usageIsSampledOnceAnIntervalAndForgottenByHalfLives() {
    assertThat(accounts.sample("ns/a", TEN_CPUS, START.plus(HOUR).minusNanos(1)))
        .hasValue(ConsumedUsage.none(START));
    accounts.sample("ns/a", TEN_CPUS, START.plus(HOUR));
    accounts.advance(START.plus(HOUR));
    WeightedUsage fresh = accounts.usage("ns/a");

    accounts.advance(START.plus(Duration.ofHours(25)));

    assertThat(accounts.usage("ns/a").usage().doubleValue())
        .isCloseTo(fresh.usage().doubleValue() / 2, within(1e-6));
  }

  @Test
  void aHeavyQueueMayUseMoreAndOneOfWeightZeroComesLast() {
    accounts.open("ns/heavy", Quantity.of(2), ConsumedUsage.none(START));
    accounts.open("ns/last", Quantity.of(0), ConsumedUsage.none(START));
    accounts.charge("ns/a", "ns/one", TEN_CPUS);
    accounts.charge("ns/heavy", "ns/two", TEN_CPUS);

    assertThat(accounts.compare("ns/heavy", "ns/a")).isNegative();
    assertThat(accounts.compare("ns/last", "ns/a")).isPositive();
  }
}
