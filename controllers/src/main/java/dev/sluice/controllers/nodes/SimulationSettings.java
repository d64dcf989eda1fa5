package dev.sluice.controllers.nodes;

import dev.sluice.model.ApiObject;
import java.time.Duration;
import java.util.List;

/**
 * The settings of the simulation of nodes and pods, which a KwokConfiguration may set.
 *
 * @param managed the nodes that are simulated
 * @param disregarded the annotations by which objects are not touched; empty for none
 * @param disregardedLabels the same by labels
 * @param podCidr the range of pod addresses, unless their node has its own
 * @param leaseLength the duration of the lease of a node
 * @param nodeName the simulator's name in templates
 * @param nodeAddress the simulator's address in templates; empty to have one chosen
 * @param nodePort the simulator's port in templates
 */
public record SimulationSettings(
    ManagedNodes managed,
    List<TagSelector> disregarded,
    List<TagSelector> disregardedLabels,
    String podCidr,
    Duration leaseLength,
    String nodeName,
    String nodeAddress,
    long nodePort) {

  /** KWOK's defaults. */
  public static final SimulationSettings DEFAULT =
      new SimulationSettings(
          new ManagedNodes.Annotated(
              TagSelector.parse(SimulatedNode.ANNOTATION + "=" + SimulatedNode.FAKE)),
          List.of(),
          List.of(),
          "10.0.0.0/24",
          Duration.ofSeconds(40),
          "sluice",
          "",
          10_247);

  public SimulationSettings {
    disregarded = List.copyOf(disregarded);
    disregardedLabels = List.copyOf(disregardedLabels);
  }

  /** Whether a node is simulated. */
  public boolean manages(ApiObject node) {
    return managed.include(node);
  }

  /** Whether a node or pod is not touched, though it could be simulated. */
  boolean disregards(ApiObject object) {
    return disregarded.stream()
            .anyMatch(selector -> selector.matches(object.metadata().tree("annotations")))
        || disregardedLabels.stream()
            .anyMatch(selector -> selector.matches(object.metadata().tree("labels")));
  }
}
