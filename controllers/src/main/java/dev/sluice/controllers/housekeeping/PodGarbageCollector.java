package dev.sluice.controllers.housekeeping;

import dev.sluice.controllers.ChangedKeys;
import dev.sluice.controllers.PodRemoval;
import dev.sluice.controllers.PodsByNode;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.node.Node;
import dev.sluice.model.core.node.Taint;
import dev.sluice.model.core.pod.Disruption;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodStatus;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.ObjectEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The pod garbage collector: deletes pods whose node is gone or out of service, pods that were
 * deleted before they had a node, and the oldest finished pods if there are too many.
 *
 * <p>A pod that is not finished is marked as failed before it is deleted, so that its controller
 * can count it. It acts only on relevant events.
 *
 * <p>Threads: reconciled by one thread at a time.
 */
public final class PodGarbageCollector implements Controller {
  /** How many finished pods are kept. */
  static final int MAX_ENDED = 12_500;

  /** How long a node must be missing: it may be about to come back under its name. */
  static final Duration QUARANTINE = Duration.ofSeconds(40);

  /** The shortest time between two counts of finished pods, as in Kubernetes. */
  static final Duration SWEEP = Duration.ofSeconds(20);

  /** A larger excess is deleted in parts: housekeeping must not crowd out the work. */
  private static final int FEW = 1_000;

  private static final int PARTS = 3;

  private static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";
  private static final ObjectKey EVERYTHING = Kinds.POD.key("", "all");
  private static final Comparator<Pod> OLDEST =
      Comparator.comparing((Pod pod) -> !pod.status().tree().text("reason").equals("Evicted"))
          .thenComparing(pod -> pod.object().metadata().text("creationTimestamp"))
          .thenComparing(Pod::name)
          .thenComparing(Pod::namespace);

  private final Cluster cluster;
  private final int maxEnded;
  private final PodsByNode pods;
  private final ChangedKeys changedPods = new ChangedKeys();
  private final ChangedKeys changedNodes = new ChangedKeys();
  private final TreeMap<String, Instant> missing = new TreeMap<>();
  private final TreeSet<ObjectKey> ended = new TreeSet<>();
  private Instant nextSweep = Instant.MIN;

  /** Changes that are not handled yet: a refused write must not lose the others. */
  private final TreeSet<ObjectKey> unseen = new TreeSet<>();

  public PodGarbageCollector(Cluster cluster) {
    this(cluster, MAX_ENDED);
  }

  PodGarbageCollector(Cluster cluster, int maxEnded) {
    this.cluster = cluster;
    this.maxEnded = maxEnded;
    this.pods = new PodsByNode(cluster);
  }

  @Override
  public String name() {
    return "pod-collector";
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(
        new Trigger(Kinds.POD, this::podChanged), new Trigger(Kinds.NODE, this::nodeChanged));
  }

  private List<ObjectKey> podChanged(ObjectEvent event) {
    pods.changed(event);
    boolean matters =
        event.type() != ObjectEvent.Type.MODIFIED
            || event.before().filter(before -> sameStage(before, event.object())).isEmpty();
    if (matters) {
      changedPods.add(event.object().key(Kinds.POD));
    }
    return matters ? List.of(EVERYTHING) : List.of();
  }

  private static boolean sameStage(ApiObject before, ApiObject after) {
    Pod was = new Pod(before);
    Pod is = new Pod(after);
    return was.isTerminal() == is.isTerminal()
        && was.isDeleting() == is.isDeleting()
        && was.nodeName().equals(is.nodeName());
  }

  private List<ObjectKey> nodeChanged(ObjectEvent event) {
    boolean same =
        event.type() == ObjectEvent.Type.MODIFIED
            && event
                .before()
                .filter(before -> isOutOfService(before) == isOutOfService(event.object()))
                .isPresent();
    if (!same) {
      changedNodes.add(event.object().key(Kinds.NODE));
    }
    return same ? List.of() : List.of(EVERYTHING);
  }

  /** Whether a node is not ready and has the out-of-service taint: nothing runs there any more. */
  private static boolean isOutOfService(ApiObject object) {
    Node node = new Node(object);
    return !node.isReady()
        && node.taints().stream().map(Taint::key).anyMatch(OUT_OF_SERVICE::equals);
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    unseen.addAll(changedNodes.takeAll());
    unseen.addAll(changedPods.takeAll());
    for (ObjectKey changed : List.copyOf(unseen)) {
      if (changed.kind().equals(Kinds.NODE)) {
        lookAtNode(changed);
      } else {
        look(changed, cluster.get(changed).map(Pod::new));
      }
      unseen.remove(changed);
    }
    return releaseQuarantined(removeExcess(cluster.time().now()));
  }

  private void lookAtNode(ObjectKey key) {
    Optional<ApiObject> node = cluster.get(key);
    if (node.isEmpty() && !pods.on(key.name()).isEmpty()) {
      missing.putIfAbsent(key.name(), cluster.time().now());
    } else if (node.filter(PodGarbageCollector::isOutOfService).isPresent()) {
      pods.on(key.name()).stream()
          .filter(Pod::isDeleting)
          .forEach(pod -> remove(pod, pod.status()));
    }
  }

  private void look(ObjectKey key, Optional<Pod> found) {
    boolean over = found.filter(pod -> pod.isTerminal() && !pod.isDeleting()).isPresent();
    if (over) {
      ended.add(key);
    } else {
      ended.remove(key);
    }
    if (found.isEmpty() || found.get().isHeld()) {
      return;
    }
    Pod pod = found.get();
    Optional<ApiObject> node = cluster.get(Kinds.NODE.key(pod.nodeName()));
    if (!pod.isBound()) {
      if (pod.isTerminating()) {
        remove(pod, pod.status());
      }
    } else if (node.isEmpty()) {
      missing.putIfAbsent(pod.nodeName(), cluster.time().now());
    } else if (pod.isDeleting() && isOutOfService(node.get())) {
      remove(pod, pod.status());
    }
  }

  /** Not whenever a pod finishes, since it must look at all finished pods. */
  private Optional<Duration> removeExcess(Instant now) {
    int excess = ended.size() - maxEnded;
    if (excess <= 0) {
      return Optional.empty();
    }
    if (now.isBefore(nextSweep)) {
      return Optional.of(Duration.between(now, nextSweep));
    }
    nextSweep = now.plus(SWEEP);
    int removable = Math.max(excess / PARTS, Math.min(excess, FEW));
    List<Pod> oldest =
        ended.stream()
            .flatMap(key -> cluster.get(key).map(Pod::new).stream())
            .sorted(OLDEST)
            .limit(removable)
            .toList();
    cluster.together(
        oldest.stream().<Runnable>map(pod -> () -> remove(pod, pod.status())).toList());
    return removable < excess ? Optional.of(SWEEP) : Optional.empty();
  }

  private Outcome releaseQuarantined(Optional<Duration> sweep) {
    Instant now = cluster.time().now();
    Optional<Duration> next = sweep;
    for (var entry : List.copyOf(missing.entrySet())) {
      Duration left = Duration.between(now, entry.getValue().plus(QUARANTINE));
      boolean back = cluster.get(Kinds.NODE.key(entry.getKey())).isPresent();
      if (!back && left.isPositive()) {
        next = next.filter(other -> other.compareTo(left) < 0).or(() -> Optional.of(left));
        continue;
      }
      if (!back) {
        pods.on(entry.getKey()).forEach(pod -> remove(pod, Disruption.NODE_GONE.of(pod, now)));
      }
      missing.remove(entry.getKey());
    }
    return next.map(Outcome::again).orElse(Outcome.DONE);
  }

  private void remove(Pod pod, PodStatus status) {
    PodRemoval.remove(cluster, pod, status);
  }
}
