package dev.sluice.engine.scheduling.plugins;

import dev.sluice.engine.scheduling.cluster.NodeState;
import dev.sluice.engine.scheduling.cluster.PodSignature;
import dev.sluice.engine.scheduling.cluster.ResourceIndex;
import dev.sluice.model.Amounts;
import java.math.BigInteger;
import java.util.List;

/**
 * The score of NodeResourcesBalancedAllocation, from 50 to 100: whether the pod makes the
 * utilization of a node's resources more balanced. 75 if it changes nothing; a pod that requests
 * none of them is not scored and gets 0.
 *
 * <p>Method: each resource has a used share, and the balance is 100 less 100 times the standard
 * deviation of the shares. Kubernetes divides floating-point numbers and truncates; here everything
 * is exact, so a result may be one higher where the exact one is whole.
 *
 * <p>Threads: none; it belongs to the scheduler.
 */
public final class BalanceScore {
  private final int[] resources;

  /**
   * Buffers for the resources that count, kept between calls, since nodes are scored by the
   * million.
   */
  private final long[] offered;

  private final long[] without;
  private final long[] with;

  public BalanceScore(List<String> names, ResourceIndex numbers) {
    this.resources = names.stream().mapToInt(numbers::number).toArray();
    this.offered = new long[resources.length];
    this.without = new long[resources.length];
    this.with = new long[resources.length];
  }

  public long of(PodSignature pod, NodeState node) {
    int counted = 0;
    boolean asks = false;
    for (int resource : resources) {
      long whole = node.facts().allocatable(resource);
      long more = pod.demand().of(resource);
      asks |= more > 0;
      if (whole > 0 && (ResourceIndex.isEverywhere(resource) || more > 0)) {
        long used = node.requested(resource);
        offered[counted] = whole;
        without[counted] = Math.min(whole, used);
        with[counted++] = Math.min(whole, Amounts.sum(used, more));
      }
    }
    return asks ? 50 + (50 + balance(with, counted) - balance(without, counted)) / 2 : 0;
  }

  /** 100 if all are used equally, 50 if one is used up and another not at all. */
  private long balance(long[] used, int counted) {
    if (counted < 2) {
      return NodeLocalScores.MOST;
    }
    boolean small = counted == 2 && offered[0] <= Long.MAX_VALUE / 51 / offered[1];
    return NodeLocalScores.MOST
        - (small ? halvesOfDifference(used) : hundredDeviations(used, counted));
  }

  /** 50 times the difference of two shares, rounded up: 100 times their deviation. */
  private long halvesOfDifference(long[] used) {
    long common = offered[0] * offered[1];
    long difference = Math.abs(used[0] * offered[1] - used[1] * offered[0]);
    return (difference * 50 + common - 1) / common;
  }

  /**
   * 100 times the deviation of some shares, rounded up.
   *
   * <p>With f for the n shares, that is 100/n · √(n·Σf² − (Σf)²). Over one common denominator d, of
   * which each share is a whole number of parts, it is the smallest k with k² · (n·d)² ≥ 100² ·
   * (n·Σf² − (Σf)²).
   */
  private long hundredDeviations(long[] used, int counted) {
    BigInteger denominator = BigInteger.ONE;
    for (int i = 0; i < counted; i++) {
      denominator = denominator.multiply(BigInteger.valueOf(offered[i]));
    }
    BigInteger sum = BigInteger.ZERO;
    BigInteger squares = BigInteger.ZERO;
    for (int i = 0; i < counted; i++) {
      BigInteger parts =
          denominator.divide(BigInteger.valueOf(offered[i])).multiply(BigInteger.valueOf(used[i]));
      sum = sum.add(parts);
      squares = squares.add(parts.multiply(parts));
    }
    BigInteger n = BigInteger.valueOf(counted);
    BigInteger spread = n.multiply(squares).subtract(sum.multiply(sum));
    BigInteger unit = n.multiply(denominator).pow(2);
    return roundedUpRoot(spread.multiply(BigInteger.valueOf(100 * 100)), unit);
  }

  /** The smallest whole number whose square is no less than a fraction. */
  private static long roundedUpRoot(BigInteger numerator, BigInteger denominator) {
    BigInteger[] quotient = numerator.divideAndRemainder(denominator);
    BigInteger least = quotient[0].add(BigInteger.valueOf(quotient[1].signum()));
    BigInteger root = least.sqrt();
    return root.longValueExact() + (root.multiply(root).compareTo(least) < 0 ? 1 : 0);
  }
}
