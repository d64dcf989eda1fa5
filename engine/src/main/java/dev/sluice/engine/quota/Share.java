package dev.sluice.engine.quota;

import dev.sluice.model.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * The fair share of a node: what it borrows, relative to what its cohort can lend, divided by its
 * weight. It is an exact fraction, so that shares have a total order. A node of weight zero that
 * borrows anything has a share above all others.
 *
 * @param borrowed the amount of the resource of which the largest part is borrowed
 * @param lendable how much of that resource the cohort can lend
 */
public record Share(String resource, long borrowed, long lendable, BigDecimal weight)
    implements Comparable<Share> {
  public static final Share ZERO = new Share("", 0, 1, BigDecimal.ONE);
  private static final long MAX_STATUS = Long.MAX_VALUE;

  static Share of(String resource, long borrowed, long lendable, Quantity weight) {
    return borrowed == 0 ? ZERO : new Share(resource, borrowed, lendable, weight.value());
  }

  public boolean infinite() {
    return borrowed > 0 && weight.signum() == 0;
  }

  /** Whether another borrowed part, without the weight, is larger. */
  boolean isExceededBy(long otherBorrowed, long otherLendable) {
    return compareProducts(otherBorrowed, lendable, borrowed, otherLendable) > 0;
  }

  @Override
  public int compareTo(Share other) {
    if (borrowed == 0 || other.borrowed == 0) {
      return Long.compare(borrowed, other.borrowed);
    }
    if (infinite() != other.infinite()) {
      return infinite() ? 1 : -1;
    }
    if (infinite() || weight.compareTo(other.weight) == 0) {
      return compareProducts(borrowed, other.lendable, other.borrowed, lendable);
    }
    BigDecimal mine = product(borrowed, other.lendable).multiply(other.weight);
    return mine.compareTo(product(other.borrowed, lendable).multiply(weight));
  }

  /** The share in thousandths, rounded up, as the status shows it. */
  public long rounded() {
    if (borrowed == 0) {
      return 0;
    }
    if (infinite()) {
      return MAX_STATUS;
    }
    BigDecimal share =
        product(1000, borrowed)
            .divide(BigDecimal.valueOf(lendable).multiply(weight), 0, RoundingMode.CEILING);
    return share.min(BigDecimal.valueOf(MAX_STATUS)).longValue();
  }

  private static int compareProducts(long a, long b, long c, long d) {
    if (Math.multiplyHigh(a, b) == 0 && Math.multiplyHigh(c, d) == 0) {
      return Long.compareUnsigned(a * b, c * d);
    }
    return BigInteger.valueOf(a)
        .multiply(BigInteger.valueOf(b))
        .compareTo(BigInteger.valueOf(c).multiply(BigInteger.valueOf(d)));
  }

  private static BigDecimal product(long a, long b) {
    return BigDecimal.valueOf(a).multiply(BigDecimal.valueOf(b));
  }
}
