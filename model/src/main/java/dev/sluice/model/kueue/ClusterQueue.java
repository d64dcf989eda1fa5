package dev.sluice.model.kueue;

import dev.sluice.model.Amounts;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Quantity;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** A pool of resources, and the rules by which the workloads of its queues share it. */
public record ClusterQueue(ApiObject object) {
  /** The condition that says whether workloads can be admitted. */
  public static final String ACTIVE = "Active";

  public String name() {
    return object.name();
  }

  /** Whether a workload that does not fit holds up those behind it. */
  public boolean strict() {
    return object.spec().text("queueingStrategy").equals("StrictFIFO");
  }

  /** The label selector for namespaces; a missing one selects none. */
  public Optional<Tree> namespaceSelector() {
    return object.spec().at("namespaceSelector") instanceof Tree selector
        ? Optional.of(selector)
        : Optional.empty();
  }

  public List<ResourceGroup> resourceGroups() {
    return object.spec().trees("resourceGroups").stream().map(ResourceGroup::of).toList();
  }

  /** Resources that are covered together, by flavors in order of preference. */
  public record ResourceGroup(List<String> coveredResources, List<FlavorQuotas> flavors) {

    private static ResourceGroup of(Tree group) {
      return new ResourceGroup(
          group.textItems("coveredResources"),
          group.trees("flavors").stream().map(FlavorQuotas::of).toList());
    }
  }

  /** How much of each resource there is in one flavor. */
  public record FlavorQuotas(String name, Amounts nominal) {

    private static FlavorQuotas of(Tree flavor) {
      SortedMap<String, Long> nominal = new TreeMap<>();
      for (Tree resource : flavor.trees("resources")) {
        String name = resource.text("name");
        nominal.put(name, Amounts.in(name, Quantity.of(resource.at("nominalQuota"))));
      }
      return new FlavorQuotas(flavor.text("name"), new Amounts(nominal));
    }
  }
}
