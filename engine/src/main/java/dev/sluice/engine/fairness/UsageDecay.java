package dev.sluice.engine.fairness;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The decay of past usage: after each half-life, half of it is left.
 *
 * <p>Goal: 0.5<sup>t/halfLife</sup> without floating point, the same on every machine.
 *
 * <p>Method: t/halfLife is a whole number of halvings and a rest below one. The rest in binary says
 * which of the roots 0.5<sup>1/2</sup>, 0.5<sup>1/4</sup>, 0.5<sup>1/8</sup> … to multiply, and
 * each root is the square root of the one before. Example: after 1.75 half-lives, 0.5 ·
 * 0.5<sup>1/2</sup> · 0.5<sup>1/4</sup> = 0.297… is left. Everything is counted in units of
 * 2<sup>-128</sup>, so the 24 decimals of the result are right but for the last.
 *
 * @param halfLife zero means that nothing is remembered
 */
public record UsageDecay(Duration halfLife) {
  private static final int BITS = 128;
  private static final int DECIMALS = 24;

  /** Roots beyond this one are closer to 1 than the result can show. */
  private static final int ROOT_COUNT = 96;

  private static final BigInteger ONE = BigInteger.ONE.shiftLeft(BITS);
  private static final List<BigInteger> ROOTS = roots();

  public UsageDecay {
    if (halfLife.isNegative()) {
      throw new IllegalArgumentException("a half-life cannot be negative: " + halfLife);
    }
  }

  public boolean remembers() {
    return !halfLife.isZero();
  }

  /** The part of past usage that is left after some time: from 1 down to 0. */
  public BigDecimal left(Duration elapsed) {
    if (!remembers()) {
      return BigDecimal.ZERO;
    }
    BigInteger time = nanos(elapsed).max(BigInteger.ZERO);
    BigInteger[] halvingsAndRest = time.divideAndRemainder(nanos(halfLife));
    if (halvingsAndRest[0].bitLength() > Byte.SIZE) {
      return BigDecimal.ZERO; // below 2^-256
    }
    BigInteger left = leftWithinOne(halvingsAndRest[1]).shiftRight(halvingsAndRest[0].intValue());
    return new BigDecimal(left)
        .divide(new BigDecimal(ONE), DECIMALS, RoundingMode.HALF_EVEN)
        .stripTrailingZeros();
  }

  /** The weight of the usage since then: 1 less what is {@link #left}. */
  public BigDecimal alpha(Duration elapsed) {
    return remembers() ? BigDecimal.ONE.subtract(left(elapsed)) : BigDecimal.ZERO;
  }

  private BigInteger leftWithinOne(BigInteger rest) {
    BigInteger left = ONE;
    for (BigInteger root : ROOTS) {
      rest = rest.shiftLeft(1);
      if (rest.compareTo(nanos(halfLife)) >= 0) {
        rest = rest.subtract(nanos(halfLife));
        left = left.multiply(root).shiftRight(BITS);
      }
    }
    return left;
  }

  private static List<BigInteger> roots() {
    var roots = new ArrayList<BigInteger>();
    BigInteger root = ONE.shiftRight(1);
    for (int i = 0; i < ROOT_COUNT; i++) {
      root = root.shiftLeft(BITS).sqrt();
      roots.add(root);
    }
    return List.copyOf(roots);
  }

  /** As a big number, because a duration may be longer than 292 years. */
  private static BigInteger nanos(Duration duration) {
    return BigInteger.valueOf(duration.getSeconds())
        .multiply(BigInteger.valueOf(1_000_000_000))
        .add(BigInteger.valueOf(duration.getNano()));
  }
}
