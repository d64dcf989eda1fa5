package dev.sluice.controllers.nodes;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.controllers.nodes.template.TemplateFunction;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.ObjectEvent;
import java.util.List;
import java.util.SortedMap;

/**
 * The controller of the pods of simulated nodes: moves them through their stages.
 *
 * <p>With the default stages they run as soon as they are bound; pods of Jobs succeed after their
 * run time; and deleted pods terminate. The status of a deleted pod says that it ended before the
 * pod is removed, as with a kubelet, so that its owner can count it.
 */
public final class SimulatedPods implements Controller {
  private static final ObjectKey ALL = Kinds.POD.key("*", "*");

  private final Cluster cluster;
  private final SimulationSettings settings;
  private final Addresses addresses;
  private final StageLoop loop;
  private final AwaitedNodes awaited = new AwaitedNodes();

  SimulatedPods(
      Cluster cluster,
      SimulationSettings settings,
      Addresses addresses,
      SortedMap<String, TemplateFunction> functions) {
    this.cluster = cluster;
    this.settings = settings;
    this.addresses = addresses;
    var events = new EventRecorder(cluster, "simulated-node");
    this.loop =
        new StageLoop(
            cluster,
            new StageCatalog(cluster, Kinds.POD, functions, List.of("pods.yaml"), events),
            events,
            pod -> isOnSimulatedNode(pod) && !settings.disregards(pod));
  }

  @Override
  public String name() {
    return "simulated-pods";
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(
        new Trigger(Kinds.STAGE, _ -> stagesChanged()),
        new Trigger(Kinds.NODE, this::nodeChanged),
        new Trigger(Kinds.POD, this::podChanged));
  }

  private List<ObjectKey> stagesChanged() {
    loop.stagesChanged(cluster.list(Kinds.POD).stream().map(pod -> pod.key(Kinds.POD)).toList());
    return List.of(ALL);
  }

  private List<ObjectKey> nodeChanged(ObjectEvent event) {
    ApiObject node = event.object();
    if (event.type() == ObjectEvent.Type.DELETED || !settings.manages(node)) {
      return List.of();
    }
    List<ObjectKey> waiting = awaited.of(node.name());
    waiting.forEach(loop::changed);
    return waiting.isEmpty() ? List.of() : List.of(ALL);
  }

  private List<ObjectKey> podChanged(ObjectEvent event) {
    Pod pod = new Pod(event.object());
    if (!pod.isBound()) {
      return List.of();
    }
    switch (event.type()) {
      case ADDED -> addresses.sawPod(pod);
      case MODIFIED -> {}
      case DELETED -> {
        awaited.remove(pod.key());
        addresses.lostPod(pod);
      }
    }
    loop.changed(pod.key());
    return List.of(ALL);
  }

  private boolean isOnSimulatedNode(ApiObject object) {
    Pod pod = new Pod(object);
    if (!pod.isBound()) {
      return false;
    }
    if (isSimulated(pod.nodeName())) {
      awaited.remove(pod.key());
      return true;
    }
    awaited.add(pod.nodeName(), pod.key());
    return isSimulated(pod.nodeName()); // it may have come just now
  }

  private boolean isSimulated(String node) {
    return cluster.get(Kinds.NODE.key(node)).filter(settings::manages).isPresent();
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    return loop.turn();
  }
}
