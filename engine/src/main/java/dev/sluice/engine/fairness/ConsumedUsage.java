package dev.sluice.engine.fairness;

import dev.sluice.model.Amounts;
import dev.sluice.model.Quantities;
import dev.sluice.model.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.TreeMap;

/**
 * The consumed usage of a LocalQueue, which decays over time. Its precision is that of the status,
 * so that reading it back after a restart changes no order.
 *
 * @param consumed cpu in cores, everything else in its units; to billionths, and from a million on
 *     to whole units
 * @param lastUpdate the time up to which usage is included
 */
public record ConsumedUsage(Quantities consumed, Instant lastUpdate) {
  private static final BigDecimal LARGE = BigDecimal.valueOf(1_000_000);
  private static final int FINEST = 9;

  public ConsumedUsage {
    consumed = times(consumed, BigDecimal.ONE);
  }

  /** The usage of a queue that has used nothing yet. */
  public static ConsumedUsage none(Instant now) {
    return new ConsumedUsage(Quantities.NONE, now);
  }

  /** The usage after its decay until now. */
  public ConsumedUsage decay(UsageDecay decay, Instant now) {
    return sample(decay, Amounts.NONE, now);
  }

  /**
   * The usage after its decay until now, plus what was used since, as if the admitted amounts had
   * been the same all along.
   */
  public ConsumedUsage sample(UsageDecay decay, Amounts admitted, Instant now) {
    if (!decay.remembers()) {
      return none(now);
    }
    if (!now.isAfter(lastUpdate)) {
      return this; // no usage to add after the clock was set back
    }
    Duration elapsed = Duration.between(lastUpdate, now);
    Quantities used = times(Quantities.of(admitted), decay.alpha(elapsed));
    return new ConsumedUsage(times(consumed, decay.left(elapsed)).plus(used), now);
  }

  public ConsumedUsage plus(Quantities penalty) {
    return new ConsumedUsage(consumed.plus(penalty), lastUpdate);
  }

  /**
   * The entry penalty of a workload, added when it is admitted, so that a queue cannot admit many
   * before the first sample counts them: its requests as one sample would count them.
   */
  public static Quantities penalty(UsageDecay decay, Amounts requests, Duration samplingInterval) {
    return times(Quantities.of(requests), decay.alpha(samplingInterval));
  }

  private static Quantities times(Quantities quantities, BigDecimal factor) {
    var products = new TreeMap<String, Quantity>();
    quantities.forEach((resource, quantity) -> {
      BigDecimal product = quantity.value().multiply(factor);
      int scale = product.abs().compareTo(LARGE) < 0 ? FINEST : 0;
      BigDecimal rounded = product.setScale(scale, RoundingMode.HALF_EVEN).stripTrailingZeros();
      if (rounded.signum() != 0) {
        products.put(resource, new Quantity(rounded, false));
      }
    });
    return new Quantities(products);
  }
}
