package dev.sluice.controllers.queueing.admission;

import dev.sluice.controllers.EventRecorder;
import dev.sluice.controllers.queueing.ConditionReasons;
import dev.sluice.controllers.queueing.RequiredChecks;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.engine.admission.cycle.PendingReason;
import dev.sluice.engine.flavor.Considered;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.PodSetRequest;
import dev.sluice.model.Amounts;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.Admission;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Cluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The writer of admission decisions into the status of workloads. A workload that has changed since
 * the decision, so that the decision is stale, keeps its status; the engine reads the changed
 * object.
 *
 * <p>Events are only collected, for {@link #takeEvents}: a cycle ends with the writes of its
 * decisions, and two more writes after each would make every cycle three times as long, and freed
 * quota wait for it.
 *
 * <p>Threads: safe.
 */
final class AdmissionWriter {
  private static final Logger LOG = LoggerFactory.getLogger(AdmissionWriter.class);
  private static final int ATTEMPTS = 3;

  private final Cluster cluster;
  private final EventRecorder events;
  private final ConditionReasons wording;
  private final Queue<Runnable> untold = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean refused = new AtomicBoolean();

  AdmissionWriter(Cluster cluster, EventRecorder events, ConditionReasons wording) {
    this.cluster = cluster;
    this.events = events;
    this.wording = wording;
  }

  /** Returns the events about written decisions, to be recorded later, and removes them. */
  List<Runnable> takeEvents() {
    var taken = new ArrayList<Runnable>();
    for (Runnable event = untold.poll(); event != null; event = untold.poll()) {
      taken.add(event);
    }
    return taken;
  }

  boolean hasEvents() {
    return !untold.isEmpty();
  }

  /** Whether a write was refused since the last call; its workload is decided about again. */
  boolean takeRefused() {
    return refused.getAndSet(false);
  }

  private void publish(ApiObject about, String reason, String message) {
    untold.add(() -> events.normal(about, reason, message));
  }

  void admit(AdmissionDecision.Admit decision) {
    PendingWorkload workload = decision.workload();
    Instant now = cluster.time().now();
    boolean admits = needsNoChecks(decision.admission());
    Optional<ApiObject> before =
        write(
                workload.namespace(),
                workload.name(),
                workload.uid(),
                current ->
                    Optional.of(current)
                        .filter(found -> found.active() && !StaleDecision.is(workload, found))
                        .map(found ->
                            admits
                                ? admitted(decision, found, now).status()
                                : reserved(decision, found, now)))
            .before();
    if (before.isEmpty()) {
      return;
    }
    publish(
        before.get(),
        "QuotaReserved",
        "Quota reserved in ClusterQueue %s, wait time since queued was %ds%s"
            .formatted(workload.clusterQueue(), waited(before.get(), now), considered(decision)));
    if (admits) {
      String message = admitted(decision, new Workload(before.get()), now).message();
      publish(before.get(), WorkloadTransitions.ADMITTED, message);
    }
  }

  private static WorkloadTransitions.Admitted admitted(
      AdmissionDecision.Admit decision, Workload found, Instant now) {
    return WorkloadTransitions.admit(
        reserved(decision, found, now), decision.workload().clusterQueue(), now);
  }

  private static WorkloadStatus reserved(
      AdmissionDecision.Admit decision, Workload found, Instant now) {
    return WorkloadTransitions.reserve(found.status(), decision.admission(), now);
  }

  /** The other flavors that were considered, if the first was not simply taken. */
  private static String considered(AdmissionDecision.Admit decision) {
    return decision.considered().isEmpty()
        ? ""
        : "; Flavors considered: " + Considered.text(decision.considered());
  }

  private boolean needsNoChecks(Admission admission) {
    return cluster
        .get(Kinds.CLUSTER_QUEUE.key(admission.clusterQueue()))
        .map(ClusterQueue::new)
        .filter(queue -> RequiredChecks.of(queue, Optional.of(admission)).isEmpty())
        .isPresent();
  }

  private static long waited(ApiObject workload, Instant now) {
    WorkloadStatus status = new Workload(workload).status();
    return status
        .since(WorkloadStatus.REQUEUED)
        .or(workload::created)
        .map(since -> Duration.between(since, now).toSeconds())
        .orElse(0L);
  }

  /** Evicts a victim in favor of the preemptor. */
  void evict(AdmissionDecision.Preempt decision, Target target) {
    Instant now = cluster.time().now();
    var victim = target.victim();
    String message = PreemptionMessages.message(decision, target, cluster);
    Optional<ApiObject> before =
        write(
                victim.namespace(),
                victim.name(),
                victim.uid(),
                found ->
                    found.reserved() && !found.status().holds(WorkloadStatus.EVICTED)
                        ? Optional.of(evicted(found, target.cause(), message, now))
                        : Optional.empty())
            .before();
    if (target.cause() == Target.Cause.FLAVOR_MIGRATION) {
      before.ifPresent(evicted -> publish(evicted, "EvictedDueToFlavorMigration", message));
    } else {
      before.ifPresent(evicted -> tellOfPreemption(decision, target, evicted, message));
    }
  }

  private void tellOfPreemption(
      AdmissionDecision.Preempt decision, Target target, ApiObject evicted, String message) {
    var victim = target.victim();
    String priorities = PreemptionMessages.priorities(decision, target, cluster);
    publish(evicted, "EvictedDueToPreempted", message);
    publish(evicted, "Preempted", message + priorities);
    cluster
        .get(Kinds.WORKLOAD.key(decision.workload().namespace(), decision.workload().name()))
        .ifPresent(preemptor ->
            publish(
                preemptor,
                "PreemptedWorkload",
                "Preempted workload %s (UID: %s) in ClusterQueue %s%s"
                    .formatted(victim.path(), victim.uid(), victim.clusterQueue(), priorities)));
  }

  /**
   * A workload without an owner has no job to stop, so its quota is released at once: the preemptor
   * would otherwise wait for a second write.
   */
  private WorkloadStatus evicted(Workload found, Target.Cause cause, String message, Instant now) {
    WorkloadStatus evicted =
        cause == Target.Cause.FLAVOR_MIGRATION
            ? WorkloadTransitions.evict(found.status(), cause.word(), message, "", now)
            : WorkloadTransitions.preempt(found.status(), cause.word(), message, now);
    return found.object().owners().isEmpty()
        ? WorkloadTransitions.releaseEvicted(evicted, wording, now)
        : evicted;
  }

  /** Writes condition and event of a pending workload; returns false if that failed. */
  boolean hold(AdmissionDecision.Pending decision) {
    PendingWorkload workload = decision.workload();
    Condition why = why(decision.reason());
    Instant now = cluster.time().now();
    Written written =
        write(
            workload.namespace(),
            workload.name(),
            workload.uid(),
            found -> {
              if (StaleDecision.is(workload, found)) {
                return Optional.empty();
              }
              return Optional.of(
                  WorkloadTransitions.gate(
                          found.status(),
                          decision.reason().kind() == PendingReason.Kind.GATED,
                          why.message(),
                          now)
                      .withResourceRequests(requests(workload))
                      .with(why, now));
            });
    written
        .before()
        .ifPresent(seen -> untold.add(() -> events.warning(seen, why.reason(), why.message())));
    return !written.refused();
  }

  private Condition why(PendingReason waiting) {
    return WorkloadTransitions.condition(
        WorkloadStatus.QUOTA_RESERVED, false, wording.of(waiting), waiting.message());
  }

  /**
   * Whether the condition of a pending workload is the one that was written; true if the workload
   * is gone.
   */
  boolean stands(ObjectKey workload, PendingReason waiting) {
    Condition why = why(waiting);
    return cluster
        .get(workload)
        .flatMap(object -> Condition.find(object.status(), WorkloadStatus.QUOTA_RESERVED))
        .map(said ->
            said.text("message").equals(why.message()) && said.text("reason").equals(why.reason()))
        .orElse(true);
  }

  private static SortedMap<String, Amounts> requests(PendingWorkload workload) {
    var requests = new TreeMap<String, Amounts>();
    for (PodSetRequest podSet : workload.podSets()) {
      requests.put(podSet.name(), podSet.total());
    }
    return requests;
  }

  /**
   * The result of a write.
   *
   * @param before the workload as it was; empty if there was nothing to write
   */
  private record Written(Optional<ApiObject> before, boolean refused) {}

  /** Writes a status that is computed from the current workload; a conflict computes it again. */
  private Written write(
      String namespace,
      String name,
      String uid,
      Function<Workload, Optional<WorkloadStatus>> change) {
    for (int attempt = 1; ; attempt++) {
      Optional<ApiObject> found =
          cluster
              .get(Kinds.WORKLOAD.key(namespace, name))
              .filter(object -> object.uid().equals(uid));
      Optional<WorkloadStatus> status = found.map(Workload::new).flatMap(change);
      if (found.isEmpty() || status.isEmpty()) {
        return new Written(Optional.empty(), false);
      }
      try {
        if (!status.get().tree().equals(found.get().status())) {
          cluster.patchStatus(
              Kinds.WORKLOAD, found.get(), Condition.observed(found.get(), status.get().tree()));
        }
        return new Written(found, false);
      } catch (ApiException failure) {
        if (!failure.is(ApiFailure.Reason.CONFLICT) || attempt == ATTEMPTS) {
          LOG.debug(
              "the status of workload {}/{} was not updated: {}",
              namespace,
              name,
              failure.getMessage());
          boolean still = !failure.is(ApiFailure.Reason.NOT_FOUND); // what is gone needs no word
          refused.compareAndSet(false, still);
          return new Written(Optional.empty(), still);
        }
      }
    }
  }
}
