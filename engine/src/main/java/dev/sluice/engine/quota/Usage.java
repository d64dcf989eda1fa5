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
 * How much of each flavor and resource somebody uses or asks for. It never changes.
 *
 * <p>Usage is added and taken away more often than anything else happens, and there is one for
 * everybody who holds quota, so it is kept in two short arrays, in order.
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

  /** So much of one thing. */
  public static Usage of(FlavorResource what, long amount) {
    return new Usage(new FlavorResource[] {what}, new long[] {amount});
  }

  /** What an admission holds; whoever says that it holds less than nothing holds nothing. */
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

  /** Of how many things it takes something, or nothing; they have numbers from 0 on. */
  public int size() {
    return what.length;
  }

  public FlavorResource what(int number) {
    return what[number];
  }

  public long amount(int number) {
    return amounts[number];
  }

  public long get(FlavorResource of) {
    for (int i = 0; i < what.length; i++) {
      if (what[i].equals(of)) {
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

  /** Whether it takes nothing of anything. */
  public boolean isNothing() {
    return Arrays.stream(amounts).allMatch(amount -> amount == 0);
  }

  /** Whether it is too much of something to be told in numbers. */
  public boolean isWithoutLimit() {
    for (long amount : amounts) {
      if (amount == Amounts.UNLIMITED) {
        return true;
      }
    }
    return false;
  }

  /** Whether it takes anything of one of these. */
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

  /** What is left of it without another, never less than nothing. */
  public Usage minus(Usage other) {
    var rest = new long[what.length];
    for (int i = 0; i < what.length; i++) {
      rest[i] = Math.max(0, Amounts.difference(amounts[i], other.get(what[i])));
    }
    return new Usage(what, rest);
  }

  /** As much of it as a limit for each thing leaves, never less than nothing. */
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
