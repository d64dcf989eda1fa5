package dev.sluice.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.tree.Tree;
import org.junit.jupiter.api.Test;

class QuantitiesTest {
  private static final Quantities SMALL = of("cpu", "500m", "gpu", "2");
  private static final Quantities LARGE = of("cpu", "1", "memory", "1Gi");

  @Test
  void combineResourceByResource() {
    assertThat(SMALL.plus(LARGE).tree())
        .isEqualTo(Tree.of("cpu", "1500m", "gpu", "2", "memory", "1Gi"));
    assertThat(SMALL.max(LARGE).tree()).isEqualTo(Tree.of("cpu", "1", "gpu", "2", "memory", "1Gi"));
    assertThat(SMALL.min(LARGE).tree())
        .isEqualTo(Tree.of("cpu", "500m", "gpu", "2", "memory", "1Gi"));
    assertThat(LARGE.orElse(SMALL).tree())
        .isEqualTo(Tree.of("cpu", "1", "gpu", "2", "memory", "1Gi"));
    assertThat(LARGE.has("gpu")).isFalse();
    assertThat(LARGE.get("gpu")).isEqualTo(Quantity.ZERO);
  }

  @Test
  void areCountedInTheUnitsOfAmounts() {
    Amounts amounts = of("cpu", "100u", "gpu", "1500m").amounts();

    assertThat(amounts.byResource()).hasToString("{cpu=1, gpu=2}");
    assertThat(Quantities.of(amounts).tree()).isEqualTo(Tree.of("cpu", "1m", "gpu", "2"));
  }

  private static Quantities of(Object... namesAndValues) {
    return Quantities.of(Tree.of(namesAndValues));
  }
}
