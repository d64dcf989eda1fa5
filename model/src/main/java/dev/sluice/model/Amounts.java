package dev.sluice.model;

import dev.sluice.model.tree.Tree;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Exact amounts of resources: cpu in thousandths, everything else in whole units.
 *
 * <p>{@link Long#MAX_VALUE} stands for "without limit". Sums stop there instead of overflowing, and
 * nothing added to it or taken from it changes it.
 */
public record Amounts(SortedMap<String, Long> byResource) {
  public static final Amounts NONE = new Amounts(new TreeMap<>());
  public static final long UNLIMITED = Long.MAX_VALUE;

  public Amounts {
    byResource = Collections.unmodifiableSortedMap(new TreeMap<>(byResource));
  }

  /** The amounts of a field such as {@code requests}: resource names and quantities. */
  public static Amounts of(Tree quantities) {
    var amounts = new TreeMap<String, Long>();
    quantities.forEach(
        (resource, value) -> amounts.put(resource, in(resource, Quantity.of(value))));
    return new Amounts(amounts);
  }

  public static Amounts of(String resource, long amount) {
    var amounts = new TreeMap<String, Long>();
    amounts.put(resource, amount);
    return new Amounts(amounts);
  }

  /** A quantity in the unit of a resource. */
  public static long in(String resource, Quantity quantity) {
    return resource.equals("cpu") ? quantity.millis() : quantity.units();
  }

  /** The quantity for an amount of a resource: bytes in powers of 1024. */
  public static Quantity quantity(String resource, long amount) {
    if (resource.equals("cpu")) {
      return Quantity.ofMillis(amount);
    }
    boolean bytes =
        resource.equals("memory")
            || resource.equals("ephemeral-storage")
            || resource.startsWith("hugepages-");
    return new Quantity(BigDecimal.valueOf(amount), bytes);
  }

  public long get(String resource) {
    return byResource.getOrDefault(resource, 0L);
  }

  public boolean isEmpty() {
    return byResource.isEmpty();
  }

  public void forEach(BiConsumer<String, Long> action) {
    byResource.forEach(action);
  }

  public Amounts plus(Amounts other) {
    if (other.isEmpty()) {
      return this;
    }
    var sums = new TreeMap<>(byResource);
    other.byResource.forEach((resource, amount) -> sums.put(resource, sum(get(resource), amount)));
    return new Amounts(sums);
  }

  public Amounts times(long count) {
    if (count == 1) {
      return this;
    }
    var product = new TreeMap<String, Long>();
    byResource.forEach((resource, amount) -> product.put(resource, product(amount, count)));
    return new Amounts(product);
  }

  public static long sum(long a, long b) {
    if (a == UNLIMITED || b == UNLIMITED) {
      return UNLIMITED;
    }
    long sum = a + b;
    boolean overflowed = ((a ^ sum) & (b ^ sum)) < 0;
    return !overflowed ? sum : a > 0 ? UNLIMITED : -UNLIMITED;
  }

  public static long difference(long a, long b) {
    return a == UNLIMITED ? UNLIMITED : sum(a, -b);
  }

  private static long product(long a, long count) {
    long high = Math.multiplyHigh(a, count);
    long low = a * count;
    boolean fits = (high == 0 && low >= 0) || (high == -1 && low < 0);
    return fits ? low : (a < 0) == (count < 0) ? UNLIMITED : -UNLIMITED;
  }

  /** The amounts as a field of quantities. */
  public Tree tree() {
    var quantities = new TreeMap<String, String>();
    byResource.forEach(
        (resource, amount) -> quantities.put(resource, quantity(resource, amount).toString()));
    return Tree.of(quantities);
  }
}
