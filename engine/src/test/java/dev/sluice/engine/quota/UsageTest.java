package dev.sluice.engine.quota;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class UsageTest {
  private static final FlavorResource CPU = new FlavorResource("f", "cpu");
  private static final FlavorResource GPU = new FlavorResource("f", "gpu");
  private static final FlavorResource OTHER = new FlavorResource("g", "cpu");

  private static final Usage BOTH = usage(Map.of(CPU, 3L, GPU, 2L));

  private static Usage usage(Map<FlavorResource, Long> amounts) {
    return new Usage(new TreeMap<>(amounts));
  }

  @Test
  void unnamedResourceIsZero() {
    assertThat(BOTH.get(GPU)).isEqualTo(2);
    assertThat(BOTH.get(OTHER)).isZero();
  }

  @Test
  void equalAmountsAreEqual() {
    assertThat(usage(Map.of(CPU, 4L)))
        .isEqualTo(Usage.of(CPU, 4))
        .hasSameHashCodeAs(Usage.of(CPU, 4))
        .isNotEqualTo(Usage.of(CPU, 5))
        .isNotEqualTo(Usage.of(OTHER, 4));
  }

  @Test
  void sumsNameWhatEitherNames() {
    assertThat(BOTH.plus(BOTH)).isEqualTo(usage(Map.of(CPU, 6L, GPU, 4L)));
    assertThat(BOTH.plus(Usage.of(OTHER, 1))).isEqualTo(usage(Map.of(CPU, 3L, GPU, 2L, OTHER, 1L)));
    assertThat(Usage.of(CPU, Long.MAX_VALUE).plus(Usage.of(CPU, 1)))
        .isEqualTo(Usage.of(CPU, Long.MAX_VALUE));
  }

  @Test
  void nothingIsLeftOfWhatIsTakenInFull() {
    assertThat(BOTH.minus(Usage.of(CPU, 1))).isEqualTo(usage(Map.of(CPU, 2L, GPU, 2L)));
    assertThat(BOTH.minus(usage(Map.of(CPU, 5L, GPU, 2L))).isNothing()).isTrue();
    assertThat(BOTH.minus(Usage.of(CPU, 5)).isNothing()).isFalse();
  }

  @Test
  void zeroAmountIsNotTouched() {
    assertThat(BOTH.touches(Set.of(GPU))).isTrue();
    assertThat(BOTH.touches(Set.of(OTHER))).isFalse();
    assertThat(Usage.of(CPU, 0).touches(Set.of(CPU))).isFalse();
  }
}
