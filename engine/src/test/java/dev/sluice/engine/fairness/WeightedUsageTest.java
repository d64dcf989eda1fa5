package dev.sluice.engine.fairness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.Quantities;
import dev.sluice.model.Quantity;
import dev.sluice.model.tree.Tree;
import java.math.BigDecimal;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class WeightedUsageTest {

  /** {@code want} is the sign of comparing the left with the right queue. */
  record Case(
      String name, String left, String leftWeight, String right, String rightWeight, int want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("less first", "1", "1", "2", "1", -1),
          new Case("twice the weight, twice the usage", "2", "2", "1", "1", 0),
          new Case("thirds are exact", "1", "3", "333333333n", "1", 1),
          new Case("a fine weight", "1", "1001m", "1", "1", -1),
          new Case("no weight goes last", "0", "0", "1000", "1", 1),
          new Case("two without weight are equal", "5", "0", "1", "-1", 0));

  @ParameterizedTest
  @FieldSource("CASES")
  void compares(Case c) {
    WeightedUsage left = usage("cpu", c.left(), c.leftWeight());
    WeightedUsage right = usage("cpu", c.right(), c.rightWeight());

    assertThat(left.compareTo(right)).isEqualTo(c.want());
    assertThat(right.compareTo(left)).isEqualTo(-c.want());
  }

  @Test
  void resourcesCountByTheirWeights() {
    SortedMap<String, BigDecimal> weights = new TreeMap<>();
    weights.put("cpu", BigDecimal.TEN);
    weights.put("memory", new BigDecimal("0.000000001"));
    Quantities consumed = Quantities.of(Tree.of("cpu", "500m", "memory", "2G", "gpu", "3"));

    WeightedUsage usage = WeightedUsage.of(consumed, weights, Quantity.of(2));

    assertThat(usage.usage()).isEqualByComparingTo("10");
    assertThat(usage).hasToString("5");
    assertThat(usage("cpu", "1", "0")).hasToString("infinite");
    assertThat(usage("cpu", "1", "3")).hasToString("0.333");
  }

  private static WeightedUsage usage(String resource, String quantity, String weight) {
    return WeightedUsage.of(
        Quantities.of(Tree.of(resource, quantity)),
        new TreeMap<>(),
        Quantity.parse(weight).orElseThrow());
  }
}
