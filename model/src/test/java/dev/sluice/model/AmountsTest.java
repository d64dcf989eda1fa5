package dev.sluice.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.tree.Tree;
import org.junit.jupiter.api.Test;

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

  @Test
  void writesQuantities() {
    Tree quantities = Amounts.of(Tree.of("cpu", "2500m", "memory", "2Gi")).tree();

    assertThat(quantities).isEqualTo(Tree.of("cpu", "2500m", "memory", "2147483648"));
  }
}
