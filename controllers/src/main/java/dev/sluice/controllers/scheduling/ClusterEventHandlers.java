package dev.sluice.controllers.scheduling;

import dev.sluice.controllers.ChangedKeys;
import dev.sluice.engine.scheduling.DisruptionBudgets;
import dev.sluice.engine.scheduling.cluster.ClusterState;
import dev.sluice.engine.scheduling.cluster.PodFacts;
import dev.sluice.engine.scheduling.cluster.SpreadDefaults;
import dev.sluice.engine.scheduling.cluster.VolumeDrivers;
import dev.sluice.engine.scheduling.queue.SchedulingQueue;
import dev.sluice.engine.scheduling.queue.WaitingPods;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.core.node.Node;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller.Trigger;
import dev.sluice.runtime.ObjectEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The event handlers of the scheduler: they update its nodes, pods, pending pods and disruption
 * budgets from the objects, and requeue the pods that an event may help.
 *
 * <p>Threads: the triggers are safe; the rest belongs to the scheduler.
 */
final class ClusterEventHandlers {
  private final Cluster cluster;
  private final Predicate<Pod> ours;
  private final ClusterState state;
  private final SchedulingQueue queue;
  private final WaitingPods held;
  private final DisruptionBudgets budgets;
  private final VolumeWatch volumes;
  private final StepTimes times;
  private final TreeSet<ObjectKey> gated = new TreeSet<>();
  private final ChangedKeys changed = new ChangedKeys();

  /**
   * @param ours whether a pod is unbound and names one of this scheduler's profiles
   */
  ClusterEventHandlers(
      Cluster cluster,
      Predicate<Pod> ours,
      ClusterState state,
      SchedulingQueue queue,
      WaitingPods held,
      DisruptionBudgets budgets,
      StepTimes times) {
    this.cluster = cluster;
    this.ours = ours;
    this.state = state;
    this.queue = queue;
    this.held = held;
    this.budgets = budgets;
    this.times = times;
    this.volumes = new VolumeWatch(state, queue);
  }

  /** The triggers of all kinds; every relevant event reconciles {@code all}. */
  List<Trigger> triggers(ObjectKey all) {
    var triggers = new ArrayList<Trigger>();
    for (ResourceKind kind : VolumeWatch.KINDS) {
      triggers.add(new Trigger(kind, event -> note(kind, event, all)));
    }
    triggers.addAll(watched(all));
    // Not every API server serves these kinds; the embedded one does not.
    Stream.concat(VolumeDrivers.KINDS.stream(), SpreadDefaults.KINDS.stream())
        .filter(kind -> cluster.kind(kind.apiVersion(), kind.kind()).isPresent())
        .forEach(kind -> triggers.add(new Trigger(kind, event -> note(kind, event, all))));
    return triggers;
  }

  private List<Trigger> watched(ObjectKey all) {
    return List.of(
        new Trigger(Kinds.NODE, event -> note(Kinds.NODE, event, all)),
        new Trigger(Kinds.POD, event -> matters(event) ? note(Kinds.POD, event, all) : List.of()),
        new Trigger(Kinds.NAMESPACE, event -> note(Kinds.NAMESPACE, event, all)),
        new Trigger(
            Kinds.POD_DISRUPTION_BUDGET, event -> note(Kinds.POD_DISRUPTION_BUDGET, event, all)));
  }

  private List<ObjectKey> note(ResourceKind kind, ObjectEvent event, ObjectKey all) {
    changed.add(event.object().key(kind));
    return List.of(all);
  }

  /** Most status updates of a running pod change nothing for the scheduler. */
  private static boolean matters(ObjectEvent event) {
    if (event.type() != ObjectEvent.Type.MODIFIED || event.before().isEmpty()) {
      return true;
    }
    Pod before = new Pod(event.before().get());
    Pod now = new Pod(event.object());
    return before.isTerminal() != now.isTerminal()
        || before.isDeleting() != now.isDeleting()
        || !before.specOnNode().equals(now.specOnNode())
        || !before.object().hasLabelsOf(now.object())
        || !before.status().started().equals(now.status().started())
        || !before.status().nominatedNodeName().equals(now.status().nominatedNodeName());
  }

  /**
   * Ends the assumption about a pod or claim whose decision was written or refused: its object is
   * read again, also if nothing was written.
   */
  void assumptionEnded(ObjectKey key) {
    changed.add(key);
  }

  /** Handles everything that changed. */
  void catchUp(Instant now) {
    for (ObjectKey key : changed.takeAll()) {
      StepTimes.Stopwatch handled = times.handle(key.kind());
      look(key, cluster.get(key), now);
      handled.stop();
    }
  }

  private void look(ObjectKey key, Optional<ApiObject> object, Instant now) {
    if (VolumeWatch.KINDS.contains(key.kind()) || VolumeDrivers.KINDS.contains(key.kind())) {
      volumes.look(key, object, now);
    } else if (SpreadDefaults.KINDS.contains(key.kind())) {
      object.ifPresentOrElse(
          found -> state.spreadDefaults().put(key, found),
          () -> state.spreadDefaults().remove(key));
    } else if (key.kind().equals(Kinds.POD)) {
      lookAtPod(key, object.map(Pod::new).filter(pod -> !pod.isTerminal()), now);
    } else if (key.kind().equals(Kinds.NODE)) {
      lookAtNode(key.name(), object.map(Node::new), now);
    } else if (key.kind().equals(Kinds.NAMESPACE)) {
      lookAtNamespace(key.name(), object, now);
    } else {
      object.ifPresentOrElse(budget -> budgets.put(key, budget), () -> budgets.remove(key));
    }
  }

  private void lookAtNode(String name, Optional<Node> node, Instant now) {
    if (node.isEmpty()) {
      state.removeNode(name);
      queue.nodeChanged(name, now);
    } else if (state.putNode(state.read(node.get()))) {
      queue.nodeChanged(name, now);
    }
  }

  private void lookAtNamespace(String name, Optional<ApiObject> namespace, Instant now) {
    namespace.ifPresentOrElse(
        found -> state.putNamespace(name, found.labels()), () -> state.removeNamespace(name));
    queue.namespaceChanged(now);
  }

  private void lookAtPod(ObjectKey key, Optional<Pod> pod, Instant now) {
    noteGate(key, pod);
    if (pod.isEmpty() || !asks(pod.get())) {
      queue.remove(key, now);
      state.forgetNomination(key).ifPresent(node -> queue.roomFreed(node, now));
    }
    if (pod.isPresent() && pod.get().isBound()) {
      settle(pod.get(), now);
      return;
    }
    if (staysHeld(key, pod)) {
      return;
    }
    held.drop(key);
    state.take(key).ifPresent(node -> queue.roomFreed(node, now));
    if (pod.isPresent() && asks(pod.get())) {
      PodFacts facts = state.read(pod.get());
      state.nominate(facts);
      queue.add(facts, now);
    }
  }

  private boolean asks(Pod pod) {
    return ours.test(pod) && !pod.spec().hasSchedulingGates();
  }

  private void noteGate(ObjectKey key, Optional<Pod> pod) {
    boolean waits =
        pod.isPresent() && ours.test(pod.get()) && pod.get().spec().hasSchedulingGates();
    if (waits) {
      gated.add(key);
    } else if (!gated.isEmpty()) {
      gated.remove(key);
    }
  }

  /** How many pods have scheduling gates. */
  int gated() {
    return gated.size();
  }

  /** Whether a pod that waits for a permit is still the same pod. */
  private boolean staysHeld(ObjectKey key, Optional<Pod> pod) {
    return held.find(key)
        .filter(one ->
            pod.isPresent() && asks(pod.get()) && pod.get().uid().equals(one.queued().pod().uid()))
        .isPresent();
  }

  private void settle(Pod pod, Instant now) {
    held.drop(pod.key());
    PodFacts facts = state.read(pod).nominatedTo("");
    Optional<String> before = state.nodeOf(pod.key());
    if (state.place(facts, pod.nodeName())) {
      before.ifPresent(node -> queue.roomFreed(node, now));
      queue.podCame(facts, now);
    }
  }
}
