package dev.sluice.engine.scheduling;

import dev.sluice.model.Amounts;
import dev.sluice.model.core.PreferredNodeTerm;
import dev.sluice.model.core.Taint;
import java.math.BigInteger;

/**
 * How much a pod likes a node, as far as that depends on the node alone. Everything is counted in
 * whole numbers, where kube-scheduler divides floating-point ones and cuts off: so a result may be
 * one higher here where the exact one is whole.
 */
final class Scores {
  static final long MOST = 100;

  private static final long MIB = 1L << 20;
  private static final long LEAST_IMAGE = 23 * MIB;
  private static final long MOST_IMAGE_PER_CONTAINER = 1000 * MIB;

  private Scores() {}

  /** NodeResourcesFit, BalancedAllocation and ImageLocality together, each of weight 1. */
  static long of(PodShape pod, NodeState node, ClusterState cluster) {
    return leastAllocated(pod, node) + balanced(pod, node) + images(pod, node, cluster);
  }

  /** From 0 to 100: how much of cpu and memory stays free, on average. */
  static long leastAllocated(PodShape pod, NodeState node) {
    long cpu = node.facts().allocatable(Resources.CPU);
    long memory = node.facts().allocatable(Resources.MEMORY);
    int resources = (cpu > 0 ? 1 : 0) + (memory > 0 ? 1 : 0);
    if (resources == 0) {
      return 0;
    }
    long sum =
        freePercent(cpu, Amounts.sum(node.reckonedCpu(), pod.reckonedCpu()))
            + freePercent(memory, Amounts.sum(node.reckonedMemory(), pod.reckonedMemory()));
    return sum / resources;
  }

  private static long freePercent(long offered, long taken) {
    return offered <= 0 || taken > offered ? 0 : share(offered - taken, offered, MOST);
  }

  /**
   * From 50 to 100: whether the pod brings cpu and memory nearer to being used alike. 75 if it
   * changes nothing; a pod that asks for neither is not judged.
   */
  static long balanced(PodShape pod, NodeState node) {
    long cpu = pod.demand().of(Resources.CPU);
    long memory = pod.demand().of(Resources.MEMORY);
    if (cpu == 0 && memory == 0) {
      return 0;
    }
    long with = balance(node, cpu, memory);
    long without = balance(node, 0, 0);
    return 50 + (50 + with - without) / 2;
  }

  /** 100 if cpu and memory are used alike, 50 if one is used up and the other not at all. */
  private static long balance(NodeState node, long moreCpu, long moreMemory) {
    long cpus = node.facts().allocatable(Resources.CPU);
    long memory = node.facts().allocatable(Resources.MEMORY);
    if (cpus <= 0 || memory <= 0) {
      return MOST;
    }
    long usedCpus = Math.min(cpus, Amounts.sum(node.requested(Resources.CPU), moreCpu));
    long usedMemory = Math.min(memory, Amounts.sum(node.requested(Resources.MEMORY), moreMemory));
    return MOST - halvesOfDifference(usedCpus, cpus, usedMemory, memory);
  }

  /** 50 times the difference of two shares, rounded up. */
  private static long halvesOfDifference(long used, long whole, long otherUsed, long otherWhole) {
    if (whole <= Long.MAX_VALUE / 51 / otherWhole) {
      long common = whole * otherWhole;
      return (Math.abs(used * otherWhole - otherUsed * whole) * 50 + common - 1) / common;
    }
    BigInteger common = product(whole, otherWhole);
    BigInteger difference = product(used, otherWhole).subtract(product(otherUsed, whole)).abs();
    BigInteger[] halves = difference.multiply(BigInteger.valueOf(50)).divideAndRemainder(common);
    return halves[0].longValueExact() + halves[1].signum();
  }

  private static BigInteger product(long one, long other) {
    return BigInteger.valueOf(one).multiply(BigInteger.valueOf(other));
  }

  /** From 0 to 100: how much of its images is there; an image that few nodes have counts less. */
  static long images(PodShape pod, NodeState node, ClusterState cluster) {
    long sum = 0;
    for (String image : pod.images()) {
      String name = withTag(image);
      Long size = node.facts().images().get(name);
      if (size != null) {
        sum = Amounts.sum(sum, share(size, cluster.nodeCount(), cluster.images().nodesWith(name)));
      }
    }
    long most = Math.max(1, pod.containers()) * MOST_IMAGE_PER_CONTAINER;
    long counted = Math.max(LEAST_IMAGE, Math.min(most, sum));
    return MOST * (counted - LEAST_IMAGE) / (most - LEAST_IMAGE);
  }

  private static String withTag(String image) {
    return image.lastIndexOf(':') > image.lastIndexOf('/') ? image : image + ":latest";
  }

  /** How many of a node's taints would rather keep the pod away. */
  static int unwantedTaints(PodShape pod, NodeState node) {
    int count = 0;
    for (Taint taint : node.facts().taints()) {
      boolean unwanted = taint.effect().equals(Taint.PREFER_NO_SCHEDULE) && !pod.tolerates(taint);
      count += unwanted ? 1 : 0;
    }
    return count;
  }

  /** The weight of the wishes that a node's labels fulfil. */
  static int wishes(PodShape pod, NodeState node) {
    int weight = 0;
    for (PreferredNodeTerm wish : pod.preferences()) {
      boolean matches = wish.matches(node.name(), node.facts().labels());
      weight += matches ? (int) wish.weight() : 0;
    }
    return weight;
  }

  /** {@code part * times / whole}, cut off, however large the product is. */
  static long share(long part, long whole, long times) {
    return part <= Long.MAX_VALUE / Math.max(1, times)
        ? part * times / whole
        : product(part, times).divide(BigInteger.valueOf(whole)).longValue();
  }
}
