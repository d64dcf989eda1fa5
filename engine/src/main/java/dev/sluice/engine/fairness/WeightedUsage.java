package dev.sluice.engine.fairness;

import dev.sluice.model.Quantities;
import dev.sluice.model.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.SortedMap;

/**
 * The usage of a LocalQueue relative to its weight, as an exact fraction. The queue with less comes
 * first. The order is by value: 1/2 and 2/4 compare as equal although they are not the same record.
 *
 * @param weight zero or less means that the usage counts as infinite
 */
public record WeightedUsage(BigDecimal usage, BigDecimal weight)
    implements Comparable<WeightedUsage> {

  /**
   * Adds up a queue's usage.
   *
   * @param consumed its usage and pending charges, cpu in cores
   * @param resourceWeights how much a unit of each resource counts; others count 1
   */
  public static WeightedUsage of(
      Quantities consumed, SortedMap<String, BigDecimal> resourceWeights, Quantity queueWeight) {
    BigDecimal usage = BigDecimal.ZERO;
    for (var entry : consumed.byResource().entrySet()) {
      BigDecimal weight = resourceWeights.getOrDefault(entry.getKey(), BigDecimal.ONE);
      usage = usage.add(entry.getValue().value().multiply(weight));
    }
    return new WeightedUsage(usage, queueWeight.value());
  }

  public boolean isInfinite() {
    return weight.signum() <= 0;
  }

  @Override
  public int compareTo(WeightedUsage other) {
    if (isInfinite() || other.isInfinite()) {
      return Boolean.compare(isInfinite(), other.isInfinite());
    }
    return usage.multiply(other.weight).compareTo(other.usage.multiply(weight));
  }

  /** Rounded to thousandths, for messages. */
  @Override
  public String toString() {
    return isInfinite()
        ? "infinite"
        : usage.divide(weight, 3, RoundingMode.HALF_EVEN).stripTrailingZeros().toPlainString();
  }
}
