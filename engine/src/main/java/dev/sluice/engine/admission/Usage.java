package dev.sluice.engine.admission;

import dev.sluice.model.Amounts;
import dev.sluice.model.kueue.Admission;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** How much of each flavor's resources is taken. */
public record Usage(SortedMap<FlavorResource, Long> amounts) {
  public static final Usage NONE = new Usage(new TreeMap<>());

  /** What the pod sets of an admission take together. */
  static Usage of(List<Admission.Assignment> assignments) {
    var amounts = new TreeMap<FlavorResource, Long>();
    for (Admission.Assignment assignment : assignments) {
      assignment
          .usage()
          .forEach((resource, amount) ->
              amounts.merge(
                  new FlavorResource(assignment.flavors().getOrDefault(resource, ""), resource),
                  amount,
                  Amounts::sum));
    }
    return new Usage(amounts);
  }

  /** What the admissions of one queue take, of those of all. */
  public static Usage of(String clusterQueue, List<Admission> admissions) {
    Usage usage = NONE;
    for (Admission admission : admissions) {
      if (admission.clusterQueue().equals(clusterQueue)) {
        usage = usage.plus(of(admission.assignments()));
      }
    }
    return usage;
  }

  public long get(FlavorResource flavorResource) {
    return amounts.getOrDefault(flavorResource, 0L);
  }

  Usage plus(Usage other) {
    var sum = new TreeMap<>(amounts);
    other.amounts.forEach((key, amount) -> sum.merge(key, amount, Amounts::sum));
    return new Usage(sum);
  }

  Usage plus(FlavorResource key, long amount) {
    var sum = new TreeMap<>(amounts);
    sum.merge(key, amount, Amounts::sum);
    return new Usage(sum);
  }
}
