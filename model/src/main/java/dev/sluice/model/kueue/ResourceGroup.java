package dev.sluice.model.kueue;

import dev.sluice.model.Amounts;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Quantity;
import dev.sluice.model.tree.Tree;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** A resource group: resources that get the same flavor, and the flavors in order of preference. */
public record ResourceGroup(List<String> coveredResources, List<FlavorQuotas> flavors) {
  public ResourceGroup {
    coveredResources = List.copyOf(coveredResources);
    flavors = List.copyOf(flavors);
  }

  /** The resource groups of a ClusterQueue or a Cohort. */
  static List<ResourceGroup> of(ApiObject owner) {
    return owner.spec().trees("resourceGroups").stream().map(ResourceGroup::of).toList();
  }

  private static ResourceGroup of(Tree group) {
    return new ResourceGroup(
        group.textItems("coveredResources"),
        group.trees("flavors").stream().map(FlavorQuotas::of).toList());
  }

  /** The quotas of one flavor, by resource. */
  public record FlavorQuotas(String name, SortedMap<String, Quota> quotas) {
    public FlavorQuotas {
      quotas = Collections.unmodifiableSortedMap(new TreeMap<>(quotas));
    }

    private static FlavorQuotas of(Tree flavor) {
      var quotas = new TreeMap<String, Quota>();
      for (Tree resource : flavor.trees("resources")) {
        quotas.put(resource.text("name"), Quota.of(resource));
      }
      return new FlavorQuotas(flavor.text("name"), quotas);
    }
  }

  /** The nominal quota of a resource, and its borrowing and lending limits, if it has them. */
  public record Quota(long nominal, OptionalLong borrowingLimit, OptionalLong lendingLimit) {
    public static final Quota NONE = new Quota(0, OptionalLong.empty(), OptionalLong.empty());

    private static Quota of(Tree resource) {
      String name = resource.text("name");
      return new Quota(
          Amounts.in(name, Quantity.of(resource.at("nominalQuota"))),
          limit(resource, "borrowingLimit"),
          limit(resource, "lendingLimit"));
    }

    private static OptionalLong limit(Tree resource, String field) {
      return resource.has(field)
          ? OptionalLong.of(Amounts.in(resource.text("name"), Quantity.of(resource.at(field))))
          : OptionalLong.empty();
    }
  }
}
