package dev.sluice.controllers.nodes;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.Node;
import dev.sluice.model.core.Pod;
import dev.sluice.model.core.PodStatus;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Plays the life of pods on simulated nodes: they run as soon as they are bound; those of Jobs
 * succeed after their {@link RunTime}; and whatever is deleted ends and goes. A deleted pod is
 * shown as ended before it is removed, as a kubelet does it, so that its owner can count it.
 *
 * <p>Threads: reconciled by one thread at a time.
 */
public final class SimulatedPods implements Controller {
  private static final String INVALID_DURATION = "InvalidDuration";

  private final Cluster cluster;
  private final EventRecorder events;
  private final AwaitedNodes awaited = new AwaitedNodes();

  /** When pods started, by uid: the API keeps whole seconds only, which is what a restart uses. */
  private final TreeMap<String, Instant> starts = new TreeMap<>();

  public SimulatedPods(Cluster cluster) {
    this.cluster = cluster;
    this.events = new EventRecorder(cluster, "simulated-node");
  }

  @Override
  public String name() {
    return "simulated-pods";
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(
        new Trigger(Kinds.NODE, this::nodeChanged), new Trigger(Kinds.POD, this::podChanged));
  }

  private List<ObjectKey> nodeChanged(Event event) {
    ApiObject node = event.object();
    return event.type() != Event.Type.DELETED && SimulatedNode.is(node)
        ? awaited.of(node.name())
        : List.of();
  }

  private List<ObjectKey> podChanged(Event event) {
    Pod pod = new Pod(event.object());
    if (event.type() == Event.Type.DELETED) {
      awaited.remove(pod.key());
    }
    return pod.isBound() ? List.of(pod.key()) : List.of();
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    Optional<Pod> found = cluster.get(key).map(Pod::new).filter(Pod::isBound);
    if (found.isEmpty()) {
      awaited.remove(key);
      return Outcome.DONE;
    }
    Pod pod = found.get();
    awaited.add(pod.nodeName(), key);
    Optional<Node> node =
        cluster.get(Kinds.NODE.key(pod.nodeName())).filter(SimulatedNode::is).map(Node::new);
    if (node.isEmpty()) {
      return Outcome.DONE;
    }
    awaited.remove(key);
    return live(pod, node.get());
  }

  private Outcome live(Pod pod, Node node) {
    if (pod.isDeleting()) {
      end(pod);
      return Outcome.DONE;
    }
    return switch (pod.phase()) {
      case PENDING -> start(pod, node);
      case RUNNING -> run(pod);
      case SUCCEEDED, FAILED, UNKNOWN -> forget(pod);
    };
  }

  private Outcome forget(Pod pod) {
    starts.remove(pod.uid());
    return Outcome.DONE;
  }

  private Outcome start(Pod pod, Node node) {
    Instant now = cluster.time().now();
    if (RunTime.of(pod) instanceof RunTime.Unreadable unreadable) {
      String message = unreadable.message();
      write(pod, SimulatedLife.refused(pod, INVALID_DURATION, message, now));
      events.warning(pod.object(), INVALID_DURATION, message);
      return Outcome.DONE;
    }
    Pod running = write(pod, SimulatedLife.running(pod, node, now));
    starts.put(pod.uid(), now);
    return run(running);
  }

  private Outcome run(Pod pod) {
    return switch (RunTime.of(pod)) {
      case RunTime.Endless _ -> forget(pod);
      case RunTime.Ends(Duration after) -> {
        Duration left = left(pod, after);
        if (left.isPositive()) {
          yield Outcome.again(left);
        }
        write(pod, SimulatedLife.succeeded(pod, cluster.time().now()));
        yield forget(pod);
      }
      // Someone spoilt the annotation after the start: the pod runs until that is mended.
      case RunTime.Unreadable _ -> Outcome.DONE;
    };
  }

  private Duration left(Pod pod, Duration runTime) {
    Instant now = cluster.time().now();
    Instant known = starts.get(pod.uid());
    Instant start = known != null ? known : pod.status().started().orElse(now);
    return runTime.minus(Duration.between(start, now));
  }

  private void end(Pod pod) {
    Pod ended =
        pod.isTerminal() ? pod : write(pod, SimulatedLife.terminated(pod, cluster.time().now()));
    starts.remove(pod.uid());
    if (pod.graceSeconds().orElse(0) == 0) {
      // It is only waiting for those whose finalizers it holds.
      return;
    }
    try {
      cluster.delete(Kinds.POD, ended.object(), Deletion.NOW);
    } catch (ApiException refused) {
      if (!refused.is(ApiFailure.Reason.NOT_FOUND)) {
        throw refused;
      }
    }
  }

  private Pod write(Pod pod, PodStatus status) {
    return new Pod(cluster.patchStatus(Kinds.POD, pod.object(), status.tree()));
  }
}
