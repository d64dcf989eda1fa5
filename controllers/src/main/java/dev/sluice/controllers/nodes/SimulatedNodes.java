package dev.sluice.controllers.nodes;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.controllers.nodes.template.RandomFunctions;
import dev.sluice.controllers.nodes.template.TemplateFunction;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.ObjectEvent;
import java.util.List;
import java.util.SortedMap;

/**
 * The controller of simulated nodes: moves nodes that exist only as objects, with KWOK's
 * annotation, through their stages. The default stages make them ready; where leases are renewed
 * there are heartbeats too.
 */
public final class SimulatedNodes implements Controller {
  private static final ObjectKey ALL = Kinds.NODE.key("*");

  private final Cluster cluster;
  private final SimulationSettings settings;
  private final Addresses addresses;
  private final StageLoop loop;

  private SimulatedNodes(
      Cluster cluster,
      SimulationSettings settings,
      Addresses addresses,
      SortedMap<String, TemplateFunction> functions,
      List<String> files) {
    this.cluster = cluster;
    this.settings = settings;
    this.addresses = addresses;
    var events = new EventRecorder(cluster, "simulated-node");
    this.loop =
        new StageLoop(
            cluster,
            new StageCatalog(cluster, Kinds.NODE, functions, files, events),
            events,
            node -> settings.manages(node) && !settings.disregards(node));
  }

  /**
   * The controllers for simulated nodes, their pods, and other objects that have stages.
   *
   * @param beating whether nodes report heartbeats
   */
  public static List<Controller> withPods(Cluster cluster, boolean beating) {
    return withPods(cluster, beating, SimulationSettings.DEFAULT);
  }

  /** The same with the given settings. */
  public static List<Controller> withPods(
      Cluster cluster, boolean beating, SimulationSettings settings) {
    List<String> files = beating ? List.of("nodes.yaml", "heartbeats.yaml") : List.of("nodes.yaml");
    var addresses = new Addresses(cluster, settings.podCidr());
    var functions =
        WorldFunctions.of(
            () -> cluster.time().now(), addresses, settings, RandomFunctions.of(cluster.random()));
    return List.of(
        new SimulatedNodes(cluster, settings, addresses, functions, files),
        new SimulatedPods(cluster, settings, addresses, functions),
        new StagedKinds(cluster, functions));
  }

  @Override
  public String name() {
    return "simulated-nodes";
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(
        new Trigger(Kinds.STAGE, _ -> stagesChanged()), new Trigger(Kinds.NODE, this::nodeChanged));
  }

  private List<ObjectKey> stagesChanged() {
    loop.stagesChanged(
        cluster.list(Kinds.NODE).stream().map(node -> node.key(Kinds.NODE)).toList());
    return List.of(ALL);
  }

  private List<ObjectKey> nodeChanged(ObjectEvent event) {
    ApiObject node = event.object();
    if (!settings.manages(node)) {
      return List.of();
    }
    switch (event.type()) {
      case ADDED -> addresses.sawNode(node);
      case MODIFIED -> {}
      case DELETED -> addresses.lostNode(node);
    }
    loop.changed(node.key(Kinds.NODE));
    return List.of(ALL);
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    return loop.turn();
  }
}
