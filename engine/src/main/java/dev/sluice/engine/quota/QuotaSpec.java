package dev.sluice.engine.quota;

import dev.sluice.model.Quantity;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.Cohort;
import dev.sluice.model.kueue.ResourceGroup;
import dev.sluice.model.kueue.ResourceGroup.Quota;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The quotas and the fair-sharing weight of a ClusterQueue or cohort.
 *
 * @param parent the cohort above it; empty if there is none
 */
public record QuotaSpec(
    String name, String parent, Quantity weight, SortedMap<FlavorResource, Quota> quotas) {
  public QuotaSpec {
    quotas = Collections.unmodifiableSortedMap(new TreeMap<>(quotas));
  }

  public static QuotaSpec of(ClusterQueue queue) {
    return new QuotaSpec(
        queue.name(), queue.cohort(), queue.fairWeight(), quotas(queue.resourceGroups()));
  }

  public static QuotaSpec of(Cohort cohort) {
    return new QuotaSpec(
        cohort.name(), cohort.parent(), cohort.fairWeight(), quotas(cohort.resourceGroups()));
  }

  /** The spec of a cohort that other objects name but that does not exist: no quota of its own. */
  static QuotaSpec implied(String name) {
    return new QuotaSpec(name, "", Quantity.of(1), new TreeMap<>());
  }

  private static SortedMap<FlavorResource, Quota> quotas(List<ResourceGroup> groups) {
    var quotas = new TreeMap<FlavorResource, Quota>();
    for (ResourceGroup group : groups) {
      for (ResourceGroup.FlavorQuotas flavor : group.flavors()) {
        flavor
            .quotas()
            .forEach((resource, quota) ->
                quotas.put(new FlavorResource(flavor.name(), resource), quota));
      }
    }
    return quotas;
  }
}
