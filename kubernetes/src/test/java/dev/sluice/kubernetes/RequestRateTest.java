package dev.sluice.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RequestRateTest {
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5); // a clock may overflow
  private final RequestRate rate = new RequestRate(new BigDecimal("2.5"), 3, now::get);

  @Test
  void aBurstPassesAndThenOneAfterTheOther() {
    for (int i = 0; i < 3; i++) {
      assertThat(rate.take()).isZero();
    }
    assertThat(rate.take()).hasMillis(400);
    assertThat(rate.take()).hasMillis(800);
  }

  @Test
  void aPauseGivesBackNoMoreThanABurst() {
    for (int i = 0; i < 3; i++) {
      rate.take();
    }
    now.addAndGet(Duration.ofHours(1).toNanos());

    for (int i = 0; i < 3; i++) {
      assertThat(rate.take()).isZero();
    }
    assertThat(rate.take()).hasMillis(400);
  }

  @Test
  void aShortPauseGivesBackWhatItIsWorth() {
    for (int i = 0; i < 3; i++) {
      rate.take();
    }
    now.addAndGet(Duration.ofMillis(400).toNanos());

    assertThat(rate.take()).isZero();
    assertThat(rate.take()).hasMillis(400);
  }
}
