package dev.sluice.controllers.nodes;

import dev.sluice.model.ApiObject;
import java.time.Duration;
import java.util.List;

/**
 * How nodes and pods are simulated, as a KwokConfiguration may say.
 *
 * @param managed the nodes that are simulated
 * @param disregarded by which annotations objects are left alone; empty for none
 * @param disregardedLabels the same by labels
 * @param podCidr where the addresses of pods come from, unless their node has a range of its own
 * @param leaseLength for how long the lease of a node holds
 * @param nodeName what templates know as the name of the simulator
 * @param nodeAddress what they know as its address; empty to have one chosen
 * @param nodePort what they know as its port
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

  /** KWOK's usual ones. */
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

  /** Whether a node or pod is to be left as it is, though it could be simulated. */
  boolean disregards(ApiObject object) {
    return disregarded.stream().anyMatch(one -> one.matches(object.metadata().tree("annotations")))
        || disregardedLabels.stream()
            .anyMatch(one -> one.matches(object.metadata().tree("labels")));
  }
}
