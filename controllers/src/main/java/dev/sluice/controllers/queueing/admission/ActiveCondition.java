package dev.sluice.controllers.queueing.admission;

import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.AdmissionCheck;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.Cohort;
import dev.sluice.model.kueue.ResourceFlavor;
import dev.sluice.model.kueue.ResourceGroup;
import dev.sluice.model.kueue.StopPolicy;
import dev.sluice.runtime.Cluster;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The condition {@code Active} of ClusterQueues: whether one can admit workloads, or all problems
 * that prevent it.
 */
public final class ActiveCondition {
  private final Cluster cluster;

  public ActiveCondition(Cluster cluster) {
    this.cluster = cluster;
  }

  public Condition of(ClusterQueue queue) {
    Map<String, String> problems = problems(queue);
    return problems.isEmpty()
        ? new Condition(ClusterQueue.ACTIVE, true, "Ready", "Can admit new workloads")
        : WorkloadTransitions.condition(
            ClusterQueue.ACTIVE,
            false,
            problems.keySet().iterator().next(),
            "Can't admit new workloads: " + String.join(", ", problems.values()) + ".");
  }

  /** The messages by reason, the most important first. */
  private Map<String, String> problems(ClusterQueue queue) {
    var problems = new LinkedHashMap<String, String>();
    if (queue.object().isDeleting()) {
      problems.put("Terminating", "the ClusterQueue is being deleted");
    }
    if (queue.stopPolicy() != StopPolicy.NONE) {
      problems.put("Stopped", "is stopped");
    }
    add(problems, "FlavorNotFound", "references missing ResourceFlavor(s)", missing(queue));
    var missing = new ArrayList<String>();
    var inactive = new ArrayList<String>();
    for (String name : queue.admissionChecks().keySet()) {
      Optional<AdmissionCheck> check =
          cluster.get(Kinds.ADMISSION_CHECK.key(name)).map(AdmissionCheck::new);
      if (check.isEmpty()) {
        missing.add(name);
      } else if (!check.get().active()) {
        inactive.add(name);
      }
    }
    add(problems, "AdmissionCheckNotFound", "references missing AdmissionCheck(s)", missing);
    add(problems, "AdmissionCheckInactive", "references inactive AdmissionCheck(s)", inactive);
    List<String> topologies = topologies(queue);
    if (!topologies.isEmpty()) {
      problems.put("TopologyNotFound", String.join(", ", topologies));
    }
    add(problems, "Unknown", "the parents of its cohorts run in a circle", cycle(queue));
    return problems;
  }

  /** The ancestor cohorts of a queue, if they form a cycle. */
  private List<String> cycle(ClusterQueue queue) {
    var above = new LinkedHashSet<String>();
    String cohort = queue.cohort();
    while (!cohort.isEmpty()) {
      if (!above.add(cohort)) {
        return List.copyOf(above);
      }
      cohort =
          cluster.get(Kinds.COHORT.key(cohort)).map(Cohort::new).map(Cohort::parent).orElse("");
    }
    return List.of();
  }

  private List<String> missing(ClusterQueue queue) {
    return flavors(queue)
        .filter(flavor -> cluster.get(Kinds.RESOURCE_FLAVOR.key(flavor)).isEmpty())
        .toList();
  }

  /** The messages about flavors whose topology does not exist. */
  private List<String> topologies(ClusterQueue queue) {
    return flavors(queue)
        .flatMap(flavor -> cluster.get(Kinds.RESOURCE_FLAVOR.key(flavor)).stream())
        .map(ResourceFlavor::new)
        .filter(flavor -> !flavor.topologyName().isEmpty())
        .filter(flavor -> cluster.get(Kinds.TOPOLOGY.key(flavor.topologyName())).isEmpty())
        .map(flavor ->
            "there is no Topology \"%s\" for TAS flavor \"%s\""
                .formatted(flavor.topologyName(), flavor.name()))
        .toList();
  }

  private static Stream<String> flavors(ClusterQueue queue) {
    return queue.resourceGroups().stream()
        .flatMap(group -> group.flavors().stream())
        .map(ResourceGroup.FlavorQuotas::name);
  }

  private static void add(
      Map<String, String> problems, String reason, String text, List<String> names) {
    if (!names.isEmpty()) {
      problems.put(reason, text + ": " + String.join(",", names));
    }
  }
}
