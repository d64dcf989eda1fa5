package dev.sluice.engine.quota;

import dev.sluice.model.Amounts;
import dev.sluice.model.kueue.Admission;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * The amount of each flavor and resource that a workload uses or requests. It is immutable.
 *
 * <p>Adding and removing usage is the most frequent operation, and every reservation has one, so it
 * is kept in two short sorted arrays.
 */
public final class Usage {
  public static final Usage NONE = new Usage(new TreeMap<>());

  private final FlavorResource[] what;
  private final long[] amounts;

  public Usage(SortedMap<FlavorResource, Long> byWhat) {
    this(new FlavorResource[byWhat.size()], new long[byWhat.size()]);
    int number = 0;
    for (Map.Entry<FlavorResource, Long> entry : byWhat.entrySet()) {
      what[number] = entry.getKey();
      amounts[number] = entry.getValue();
      number++;
    }
  }

  private Usage(FlavorResource[] what, long[] amounts) {
    this.what = what;
    this.amounts = amounts;
  }

  /** An amount of one flavor and resource. */
  public static Usage of(FlavorResource what, long amount) {
    return new Usage(new FlavorResource[] {what}, new long[] {amount});
  }

  /** The usage of an admission; negative amounts count as zero. */
  public static Usage of(Admission admission) {
    var sums = new TreeMap<FlavorResource, Long>();
    for (Admission.Assignment podSet : admission.assignments()) {
      podSet
          .flavors()
          .forEach((resource, flavor) ->
              sums.merge(
                  new FlavorResource(flavor, resource),
                  Math.max(0, podSet.usage().get(resource)),
                  Amounts::sum));
    }
    return new Usage(sums);
  }

  /** The number of its entries, some of which may be zero. */
  public int size() {
    return what.length;
  }

  public FlavorResource what(int number) {
    return what[number];
  }

  public long amount(int number) {
    return amounts[number];
  }

  public long get(FlavorResource flavorResource) {
    for (int i = 0; i < what.length; i++) {
      if (what[i].equals(flavorResource)) {
        return amounts[i];
      }
    }
    return 0;
  }

  public SortedMap<FlavorResource, Long> amounts() {
    var all = new TreeMap<FlavorResource, Long>();
    for (int i = 0; i < what.length; i++) {
      all.put(what[i], amounts[i]);
    }
    return all;
  }

  public Set<Map.Entry<FlavorResource, Long>> entries() {
    return amounts().entrySet();
  }

  /** Whether all its amounts are zero. */
  public boolean isNothing() {
    return Arrays.stream(amounts).allMatch(amount -> amount == 0);
  }

  /** Whether one of its amounts is too large to be expressed. */
  public boolean isWithoutLimit() {
    for (long amount : amounts) {
      if (amount == Amounts.UNLIMITED) {
        return true;
      }
    }
    return false;
  }

  /** Whether it uses any of these. */
  public boolean touches(Set<FlavorResource> some) {
    for (int i = 0; i < what.length; i++) {
      if (amounts[i] > 0 && some.contains(what[i])) {
        return true;
      }
    }
    return false;
  }

  public Usage plus(Usage other) {
    if (Arrays.equals(what, other.what)) {
      var sum = new long[what.length];
      Arrays.setAll(sum, i -> Amounts.sum(amounts[i], other.amounts[i]));
      return new Usage(what, sum);
    }
    SortedMap<FlavorResource, Long> sums = amounts();
    for (int i = 0; i < other.size(); i++) {
      sums.merge(other.what[i], other.amounts[i], Amounts::sum);
    }
    return new Usage(sums);
  }

  /** This usage less another, never below zero. */
  public Usage minus(Usage other) {
    var rest = new long[what.length];
    for (int i = 0; i < what.length; i++) {
      rest[i] = Math.max(0, Amounts.difference(amounts[i], other.get(what[i])));
    }
    return new Usage(what, rest);
  }

  /** This usage, cut at a limit for each flavor and resource, never below zero. */
  public Usage atMost(ToLongFunction<FlavorResource> limit) {
    var some = new long[what.length];
    for (int i = 0; i < what.length; i++) {
      some[i] = Math.max(0, Math.min(amounts[i], limit.applyAsLong(what[i])));
    }
    return new Usage(what, some);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Usage usage
        && Arrays.equals(amounts, usage.amounts)
        && Arrays.equals(what, usage.what);
  }

  @Override
  public int hashCode() {
    return Objects.hash(Arrays.hashCode(what), Arrays.hashCode(amounts));
  }

  @Override
  public String toString() {
    return amounts().toString();
  }
}
