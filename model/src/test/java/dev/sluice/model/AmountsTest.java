package dev.sluice.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.tree.Tree;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AmountsTest {

  @Test
  void cpuIsCountedInThousandthsAndTheRestInUnitsRoundedUp() {
    Amounts amounts = Amounts.of(Tree.of("cpu", "1.5", "memory", "1Ki", "gpu", "1500m"));

    assertThat(amounts.get("cpu")).isEqualTo(1500);
    assertThat(amounts.get("memory")).isEqualTo(1024);
    assertThat(amounts.get("gpu")).isEqualTo(2);
    assertThat(amounts.get("other")).isZero();
  }

  @Test
  void sumsStopAtUnlimitedInsteadOfOverflowing() {
    assertThat(Amounts.sum(Long.MAX_VALUE - 1, 5)).isEqualTo(Amounts.UNLIMITED);
    assertThat(Amounts.sum(Amounts.UNLIMITED, -5)).isEqualTo(Amounts.UNLIMITED);
    assertThat(Amounts.difference(Amounts.UNLIMITED, 7)).isEqualTo(Amounts.UNLIMITED);
    assertThat(Amounts.difference(3, 7)).isEqualTo(-4);
    assertThat(Amounts.of("cpu", Long.MAX_VALUE / 2).times(3).get("cpu"))
        .isEqualTo(Amounts.UNLIMITED);
    assertThat(Amounts.of("cpu", 1000).times(100_000).get("cpu")).isEqualTo(100_000_000);
  }

  @ParameterizedTest
  @CsvSource({
    "cpu, 2500, 2500m",
    "cpu, 3000, 3",
    "memory, 2147483648, 2Gi",
    "memory, 2147483649, 2147483649",
    "memory, 0, 0",
    "ephemeral-storage, 1048576, 1Mi",
    "hugepages-2Mi, 4194304, 4Mi",
    "nvidia.com/gpu, 8, 8",
    "pods, 2000, 2k"
  })
  void writesQuantitiesAsKubernetesWritesThem(String resource, long amount, String want) {
    assertThat(Amounts.of(resource, amount).tree()).isEqualTo(Tree.of(resource, want));
  }

  /** More than can be counted in thousandths has no limit. */
  @Test
  void asManyCpusAsNobodyCanCountAreUnlimited() {
    assertThat(Amounts.of(Tree.of("cpu", "9223372036854776")).get("cpu"))
        .isEqualTo(Amounts.UNLIMITED);
    assertThat(Amounts.of(Tree.of("cpu", "9223372036854775")).get("cpu"))
        .isEqualTo(9_223_372_036_854_775_000L);
    assertThat(Amounts.of(Tree.of("memory", "8Ei")).get("memory")).isEqualTo(Amounts.UNLIMITED);
  }
}
