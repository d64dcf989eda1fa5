package dev.sluice.engine.admission;

import dev.sluice.model.Amounts;
import dev.sluice.model.core.NodeRequirement;
import dev.sluice.model.core.PodSpec;
import dev.sluice.model.core.Taint;
import dev.sluice.model.core.Toleration;
import dev.sluice.model.kueue.Admission.Assignment;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.ResourceFlavor;
import dev.sluice.model.kueue.ResourceGroup;
import dev.sluice.model.kueue.ResourceGroup.FlavorQuotas;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Finds a flavor for every resource that a workload's pod sets ask for.
 *
 * <p><b>Goals.</b> All pod sets get room, or none; earlier flavors of a queue come first; every
 * flavor that was passed over leaves its reason.
 *
 * <p><b>Method.</b> Pod set by pod set and resource group by resource group: the first flavor whose
 * nodes the pods accept, and that has room for all resources of the group at once, is taken. What
 * earlier pod sets of the workload took counts as used. For example, with 4 cpu of flavor {@code
 * spot} and 4 of {@code reserved}, pod sets of 3 and 2 cpu end up in {@code spot} and {@code
 * reserved}.
 */
final class FlavorAssigner {
  private static final String PODS = "pods";

  private final QueueSnapshot snapshot;
  private final ClusterQueue queue;
  private final Usage used;
  private Usage assumed = Usage.NONE;
  private final List<Assignment> assignments = new ArrayList<>();
  private final List<Decision.Unassigned> unassigned = new ArrayList<>();

  FlavorAssigner(QueueSnapshot snapshot, ClusterQueue queue, Usage used) {
    this.snapshot = snapshot;
    this.queue = queue;
    this.used = used;
  }

  /** Assigns all pod sets; afterwards either {@link #unassigned()} is empty or nothing counts. */
  void assign(List<PodSetRequest> podSets) {
    podSets.forEach(this::assign);
  }

  List<Assignment> assignments() {
    return assignments;
  }

  List<Decision.Unassigned> unassigned() {
    return unassigned;
  }

  private void assign(PodSetRequest podSet) {
    Amounts requests = requests(podSet);
    var flavors = new TreeMap<String, String>();
    var reasons = new ArrayList<Reason>();
    requests.forEach((resource, amount) -> {
      if (amount > 0 && !flavors.containsKey(resource) && reasons.isEmpty()) {
        group(resource)
            .ifPresentOrElse(
                group -> assignGroup(podSet, group, requests, flavors, reasons),
                () -> reasons.add(new Reason.NotCovered(resource)));
      }
    });
    if (reasons.isEmpty()) {
      assignments.add(
          new Assignment(podSet.name(), podSet.count(), flavors, covered(requests, flavors)));
    } else {
      unassigned.add(new Decision.Unassigned(podSet.name(), reasons));
    }
  }

  /** What is counted: the requests, and the number of pods where the queue has a quota for it. */
  private Amounts requests(PodSetRequest podSet) {
    return group(PODS).isPresent()
        ? podSet.total().plus(Amounts.of(PODS, podSet.count()))
        : podSet.total();
  }

  private static Amounts covered(Amounts requests, SortedMap<String, String> flavors) {
    var covered = new TreeMap<>(requests.byResource());
    covered.keySet().retainAll(flavors.keySet());
    return new Amounts(covered);
  }

  private Optional<ResourceGroup> group(String resource) {
    return queue.resourceGroups().stream()
        .filter(group -> group.coveredResources().contains(resource))
        .findFirst();
  }

  private void assignGroup(
      PodSetRequest podSet,
      ResourceGroup group,
      Amounts requests,
      SortedMap<String, String> flavors,
      List<Reason> reasons) {
    var passedOver = new ArrayList<Reason>();
    for (FlavorQuotas flavor : group.flavors()) {
      List<Reason> against = against(podSet, group, flavor, requests);
      if (against.isEmpty()) {
        take(group, flavor, requests, flavors);
        return;
      }
      passedOver.addAll(against);
    }
    reasons.addAll(passedOver);
  }

  private void take(
      ResourceGroup group,
      FlavorQuotas flavor,
      Amounts requests,
      SortedMap<String, String> flavors) {
    for (String resource : group.coveredResources()) {
      if (requests.get(resource) > 0) {
        flavors.put(resource, flavor.name());
        assumed = assumed.plus(new FlavorResource(flavor.name(), resource), requests.get(resource));
      }
    }
  }

  private List<Reason> against(
      PodSetRequest podSet, ResourceGroup group, FlavorQuotas flavor, Amounts requests) {
    Optional<Reason> unsuitable = unsuitable(podSet, flavor.name());
    if (unsuitable.isPresent()) {
      return List.of(unsuitable.get());
    }
    var reasons = new ArrayList<Reason>();
    for (String resource : group.coveredResources()) {
      if (requests.get(resource) > 0) {
        shortage(flavor, resource, requests.get(resource)).ifPresent(reasons::add);
      }
    }
    return reasons;
  }

  private Optional<Reason> shortage(FlavorQuotas flavor, String resource, long requested) {
    var key = new FlavorResource(flavor.name(), resource);
    long nominal = flavor.quotas().getOrDefault(resource, ResourceGroup.Quota.NONE).nominal();
    long earlier = assumed.get(key);
    long wanted = Amounts.sum(earlier, requested);
    if (wanted > nominal) {
      return Optional.of(
          new Reason.QuotaTooSmall(flavor.name(), resource, earlier, requested, nominal));
    }
    long free = Math.max(0, Amounts.difference(nominal, used.get(key)));
    return wanted > free
        ? Optional.of(
            new Reason.QuotaInUse(flavor.name(), resource, Amounts.difference(wanted, free)))
        : Optional.empty();
  }

  private Optional<Reason> unsuitable(PodSetRequest podSet, String name) {
    Optional<ResourceFlavor> found = snapshot.flavor(name);
    if (found.isEmpty()) {
      return Optional.of(new Reason.FlavorNotFound(name));
    }
    ResourceFlavor flavor = found.get();
    var tolerations = new ArrayList<>(podSet.podSpec().tolerations());
    flavor.tolerations().stream().map(Toleration::of).forEach(tolerations::add);
    Optional<Taint> repelling =
        flavor.nodeTaints().stream()
            .filter(Taint::repels)
            .filter(taint -> tolerations.stream().noneMatch(one -> one.tolerates(taint)))
            .findFirst();
    if (repelling.isPresent()) {
      return Optional.of(new Reason.Untolerated(name, repelling.get()));
    }
    return acceptsNodes(podSet.podSpec(), flavor.nodeLabels())
        ? Optional.empty()
        : Optional.of(new Reason.OtherNodesWanted(name));
  }

  /** Only what pods say about labels that the flavor has can speak against the flavor. */
  private static boolean acceptsNodes(PodSpec pod, SortedMap<String, String> labels) {
    boolean selected =
        pod.nodeSelector().entrySet().stream()
            .filter(wanted -> labels.containsKey(wanted.getKey()))
            .allMatch(wanted -> wanted.getValue().equals(labels.get(wanted.getKey())));
    List<List<NodeRequirement>> terms =
        pod.nodeAffinity().anyOf().stream().map(term -> known(term.expressions(), labels)).toList();
    boolean oneIsSilent = terms.isEmpty() || terms.stream().anyMatch(List::isEmpty);
    return selected && (oneIsSilent || terms.stream().anyMatch(term -> accepts(term, labels)));
  }

  private static List<NodeRequirement> known(
      List<NodeRequirement> demands, SortedMap<String, String> labels) {
    return demands.stream().filter(demand -> labels.containsKey(demand.key())).toList();
  }

  private static boolean accepts(List<NodeRequirement> demands, SortedMap<String, String> labels) {
    return demands.stream().allMatch(demand -> demand.accepts(labels.get(demand.key())));
  }
}
