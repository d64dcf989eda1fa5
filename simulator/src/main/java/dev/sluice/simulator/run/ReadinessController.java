package dev.sluice.simulator.run;

import dev.sluice.model.ApiObject;
import dev.sluice.model.GoDuration;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.batch.Job;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.ObjectEvent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The part of a distributed job that waits for its peers: the pods of a Job begin to work when all
 * of them are ready, and only then it is known when they end.
 */
final class ReadinessController implements Controller {
  static final String ENDS_AT = "sluice.dev/ends-at";
  static final String NEVER = "never";
  private static final String DURATION = "sluice.dev/duration";

  private final Cluster cluster;

  /** The ready pods that have not begun, by their Jobs. */
  private final Map<ObjectKey, TreeSet<ObjectKey>> ready = new TreeMap<>();

  ReadinessController(Cluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public String name() {
    return "readiness";
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(new Trigger(Kinds.POD, this::podChanged));
  }

  private List<ObjectKey> podChanged(ObjectEvent event) {
    ApiObject pod = event.object();
    if (pod.annotation(ENDS_AT).isEmpty() || pod.controller().isEmpty()) {
      return List.of();
    }
    ObjectKey job = Kinds.JOB.key(pod.namespace(), pod.controller().get().name());
    TreeSet<ObjectKey> pods = ready.computeIfAbsent(job, _ -> new TreeSet<>());
    boolean waits = event.type() != ObjectEvent.Type.DELETED && isReady(pod) && hasNotBegun(pod);
    boolean changed = waits ? pods.add(pod.key(Kinds.POD)) : pods.remove(pod.key(Kinds.POD));
    if (pods.isEmpty()) {
      ready.remove(job);
    }
    return changed && waits ? List.of(job) : List.of();
  }

  private static boolean isReady(ApiObject object) {
    var pod = new Pod(object);
    return pod.isActive() && pod.isReady();
  }

  private static boolean hasNotBegun(ApiObject pod) {
    return pod.annotation(ENDS_AT).equals(NEVER);
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    List<ObjectKey> pods = List.copyOf(ready.getOrDefault(key, new TreeSet<>()));
    boolean all =
        cluster.get(key).map(Job::new).filter(job -> pods.size() >= job.parallelism()).isPresent();
    if (all) {
      pods.forEach(this::begin);
    }
    return Outcome.DONE;
  }

  private void begin(ObjectKey key) {
    cluster
        .get(key)
        .filter(pod -> isReady(pod) && hasNotBegun(pod))
        .ifPresent(pod -> {
          Duration length = GoDuration.parse(pod.annotation(DURATION)).orElse(Duration.ZERO);
          String end = cluster.time().now().plus(length).toString();
          cluster.update(Kinds.POD, pod.withAnnotation(ENDS_AT, end));
        });
  }
}
