package dev.sluice.controllers.nodes.lifecycle;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.controllers.PodsByNode;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.node.NodeTaints;
import dev.sluice.model.core.node.Taint;
import dev.sluice.model.core.pod.Disruption;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodStatus;
import dev.sluice.model.core.pod.TolerationSeconds;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.ObjectEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The taint eviction controller: evicts pods from nodes with NoExecute taints, at once or after the
 * time for which the pod tolerates them. A pod stays if the taints are removed in time.
 *
 * <p>For each taint the time runs from when it was added, or from when this controller saw it if
 * the taint has no time.
 *
 * <p>Threads: reconciled by one thread at a time.
 */
public final class TaintEviction implements Controller {

  /** Since when a pod tolerates which taints, by their keys. */
  private record Enduring(String uid, SortedMap<String, Instant> since) {}

  private final Cluster cluster;
  private final EventRecorder events;
  private final PodsByNode pods;
  private final TreeMap<ObjectKey, Enduring> enduring = new TreeMap<>();

  public TaintEviction(Cluster cluster) {
    this.cluster = cluster;
    this.events = new EventRecorder(cluster, "taint-eviction-controller");
    this.pods = new PodsByNode(cluster);
  }

  @Override
  public String name() {
    return "taint-eviction";
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(
        new Trigger(Kinds.NODE, TaintEviction::nodeChanged),
        new Trigger(Kinds.POD, this::podChanged));
  }

  private static List<ObjectKey> nodeChanged(ObjectEvent event) {
    List<Taint> before =
        event.before().map(node -> new NodeTaints(node).evicting()).orElse(List.of());
    boolean same = before.equals(new NodeTaints(event.object()).evicting());
    return same ? List.of() : List.of(event.object().key(Kinds.NODE));
  }

  /** Most pods are on nodes without NoExecute taints. */
  private List<ObjectKey> podChanged(ObjectEvent event) {
    pods.changed(event);
    if (event.keepsSpec()) {
      return List.of();
    }
    return PodsByNode.nodeOf(event)
        .filter(node -> cluster.get(node).filter(TaintEviction::evicts).isPresent())
        .map(List::of)
        .orElse(List.of());
  }

  private static boolean evicts(ApiObject node) {
    return !new NodeTaints(node).evicting().isEmpty();
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    Optional<NodeTaints> node = cluster.get(key).map(NodeTaints::new);
    Optional<Duration> soonest = Optional.empty();
    for (Pod pod : pods.on(key.name())) {
      Optional<Duration> left = node.flatMap(taints -> left(pod, taints));
      if (left.isEmpty() || pod.isDeleting()) {
        spare(pod);
      } else if (left.get().isPositive()) {
        soonest = soonest.filter(other -> other.compareTo(left.get()) < 0).or(() -> left);
      } else {
        evict(pod);
      }
    }
    enduring.keySet().removeIf(pod -> cluster.get(pod).isEmpty());
    return soonest.map(Outcome::again).orElse(Outcome.DONE);
  }

  /** How long a pod may stay; empty if no taint evicts it. */
  private Optional<Duration> left(Pod pod, NodeTaints node) {
    Instant now = cluster.time().now();
    Enduring known =
        Optional.ofNullable(enduring.get(pod.key()))
            .filter(before -> before.uid().equals(pod.uid()))
            .orElse(new Enduring(pod.uid(), new TreeMap<>()));
    var since = new TreeMap<String, Instant>();
    var ends = new TreeSet<Instant>();
    for (Taint taint : node.evicting()) {
      Optional<Duration> time = TolerationSeconds.of(pod, taint).time();
      if (time.isPresent()) {
        Instant begun =
            Optional.ofNullable(known.since().get(taint.key()))
                .orElseGet(() -> since(pod, node, taint, now));
        since.put(taint.key(), begun);
        ends.add(begun.plus(time.get()));
      }
    }
    if (ends.isEmpty()) {
      return Optional.empty();
    }
    enduring.put(pod.key(), new Enduring(pod.uid(), since));
    return Optional.of(Duration.between(now, ends.getFirst()));
  }

  private static Instant since(Pod pod, NodeTaints node, Taint taint, Instant now) {
    Instant tainted = node.since(taint).filter(now::isAfter).orElse(now);
    Instant here =
        Condition.since(pod.object().status(), PodStatus.POD_SCHEDULED)
            .filter(now::isAfter)
            .orElse(tainted);
    return here.isAfter(tainted) ? here : tainted;
  }

  private void spare(Pod pod) {
    boolean endured = enduring.remove(pod.key()) != null;
    if (endured && !pod.isDeleting()) {
      recordEvent(pod, "Cancelling deletion of Pod " + pod.object().path());
    }
  }

  private void evict(Pod pod) {
    recordEvent(pod, "Marking for deletion Pod " + pod.object().path());
    try {
      Instant now = cluster.time().now();
      ApiObject marked =
          cluster.patchStatus(Kinds.POD, pod.object(), Disruption.TAINT.of(pod, now).tree());
      cluster.delete(Kinds.POD, marked, Deletion.BACKGROUND);
    } catch (ApiException refused) {
      if (!refused.is(ApiFailure.Reason.NOT_FOUND)) {
        throw refused;
      }
    }
    enduring.remove(pod.key());
  }

  private void recordEvent(Pod pod, String what) {
    events.normal(pod.object(), "TaintManagerEviction", what);
  }
}
