package dev.sluice.engine.quota;

import dev.sluice.model.Amounts;
import dev.sluice.model.kueue.Admission;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** How much of each flavor and resource somebody uses or asks for. */
public record Usage(SortedMap<FlavorResource, Long> amounts) {
  public static final Usage NONE = new Usage(new TreeMap<>());

  public Usage {
    amounts = Collections.unmodifiableSortedMap(new TreeMap<>(amounts));
  }

  /** What an admission holds. */
  public static Usage of(Admission admission) {
    var sums = new TreeMap<FlavorResource, Long>();
    for (Admission.Assignment podSet : admission.assignments()) {
      podSet
          .flavors()
          .forEach((resource, flavor) ->
              sums.merge(
                  new FlavorResource(flavor, resource),
                  podSet.usage().get(resource),
                  Amounts::sum));
    }
    return new Usage(sums);
  }

  public long get(FlavorResource of) {
    return amounts.getOrDefault(of, 0L);
  }

  public Set<Map.Entry<FlavorResource, Long>> entries() {
    return amounts.entrySet();
  }

  public boolean isEmpty() {
    return amounts.isEmpty();
  }

  /** Whether it takes anything of one of these. */
  public boolean touches(Set<FlavorResource> some) {
    for (FlavorResource one : some) {
      if (get(one) > 0) {
        return true;
      }
    }
    return false;
  }

  public Usage plus(Usage other) {
    var sums = new TreeMap<>(amounts);
    other.amounts.forEach((of, amount) -> sums.merge(of, amount, Amounts::sum));
    return new Usage(sums);
  }

  /** What is left of it without another, never less than nothing. */
  public Usage minus(Usage other) {
    var rest = new TreeMap<>(amounts);
    rest.replaceAll((of, amount) -> Math.max(0, Amounts.difference(amount, other.get(of))));
    return new Usage(rest);
  }
}
