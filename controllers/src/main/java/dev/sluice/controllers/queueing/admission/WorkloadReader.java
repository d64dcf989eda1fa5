package dev.sluice.controllers.queueing.admission;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.controllers.queueing.Int32;
import dev.sluice.controllers.queueing.OrphanRule;
import dev.sluice.controllers.queueing.PodDemand;
import dev.sluice.controllers.queueing.SliceRules;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.PendingWorkload.Replaced;
import dev.sluice.engine.queue.PodNeeds;
import dev.sluice.engine.queue.PodSetRequest;
import dev.sluice.engine.queue.Precedence;
import dev.sluice.engine.queue.QueueNames;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.engine.queue.WorkloadIdentity;
import dev.sluice.engine.quota.Usage;
import dev.sluice.engine.requests.ResourceProblem;
import dev.sluice.model.Amounts;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.core.pod.PodSpec;
import dev.sluice.model.kueue.Admission;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.StopPolicy;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Cluster;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/** The reader of workloads as the engine sees them: pending, with quota reserved, or neither. */
final class WorkloadReader {
  private static final List<String> DRAINED = List.of("ClusterQueueStopped", "LocalQueueStopped");

  private final Cluster cluster;
  private final Configuration configuration;
  private final SliceChains slices;
  private final VariantReading variants;
  private final PodDemand demand;

  WorkloadReader(
      Cluster cluster, Configuration configuration, SliceChains slices, VariantReading variants) {
    this.cluster = cluster;
    this.configuration = configuration;
    this.slices = slices;
    this.variants = variants;
    this.demand = new PodDemand(cluster, configuration);
  }

  /** The state of a workload in the engine. */
  sealed interface State {
    record Pending(PendingWorkload workload) implements State {}

    /** Pending, but inadmissible before a time or before its condition Requeued becomes true. */
    record BackingOff(PendingWorkload workload) implements State {}

    /**
     * With quota reserved; {@code ready} says whether its pods are ready, as far as that is known.
     */
    record Reserved(QuotaReservation reservation, boolean ready) implements State {}

    /** Finished, deactivated, gated, an orphan, or without a queue. */
    record None() implements State {}
  }

  State read(ApiObject object) {
    var workload = new Workload(object);
    if (workload.finished()) {
      return new State.None();
    }
    Optional<Admission> admission = workload.admission();
    if (admission.isPresent()) {
      return isReplaced(workload) || variants.isHeldByVariant(workload)
          ? new State.None()
          : new State.Reserved(reservation(workload, admission.get()), ready(workload));
    }
    return clusterQueue(workload)
        .filter(queue -> isQueued(workload) && variants.isQueuedItself(workload, queue))
        .map(queue -> pending(workload, queue))
        .<State>map(pending ->
            isAdmissible(workload) ? new State.Pending(pending) : new State.BackingOff(pending))
        .orElseGet(State.None::new);
  }

  /** The queue timestamp; a variant has that of its parent. */
  private Instant queueTime(Workload workload) {
    return QueueTime.evicted(workload, configuration)
        .or(() ->
            VariantParents.parent(workload.object())
                .flatMap(cluster::get)
                .flatMap(ApiObject::created))
        .orElseGet(() -> QueueTime.of(workload, configuration));
  }

  /**
   * Whether a successor of a slice has quota reserved. The slice does not count then: the successor
   * has the quota of both, and the slice is about to be finished.
   */
  private boolean isReplaced(Workload workload) {
    return slices.successors(workload.object().key(Kinds.WORKLOAD)).stream()
        .flatMap(key -> cluster.get(key).stream())
        .map(Workload::new)
        .anyMatch(other ->
            other.reserved() && !other.finished() && SliceRules.areOfOneJob(workload, other));
  }

  private static boolean ready(Workload workload) {
    return !workload.admitted() || workload.status().holds(WorkloadStatus.PODS_READY);
  }

  /** The ClusterQueue of a workload, if its LocalQueue exists and is not stopped. */
  Optional<String> clusterQueue(Workload workload) {
    ObjectKey key = Kinds.LOCAL_QUEUE.key(workload.object().namespace(), workload.queueName());
    return cluster
        .get(key)
        .filter(queue -> !queue.isDeleting())
        .map(LocalQueue::new)
        .filter(queue -> queue.stopPolicy() == StopPolicy.NONE)
        .map(LocalQueue::clusterQueue);
  }

  private boolean isQueued(Workload workload) {
    WorkloadStatus status = workload.status();
    boolean gated =
        configuration.has(Gate.ADMISSION_GATED_BY)
            && !workload.object().annotation(KueueNames.ADMISSION_GATED_BY).isEmpty();
    return workload.active()
        && !workload.object().isDeleting()
        && !OrphanRule.isOrphan(workload.object(), configuration)
        && !gated
        && !WorkloadTransitions.checksFailed(status)
        && !status.holds(WorkloadStatus.WAITING_FOR_REPLACEMENT_PODS)
        && !status.reason(WorkloadStatus.QUOTA_RESERVED).equals("OnHold");
  }

  private boolean isAdmissible(Workload workload) {
    WorkloadStatus status = workload.status();
    return !isBarred(status)
        && status.requeueAt().map(at -> !at.isAfter(cluster.time().now())).orElse(true);
  }

  /**
   * Whether the condition Requeued keeps a workload from being admitted. A workload that was
   * evicted because its queue was stopped stays pending all the same: nothing is admitted while the
   * queue is stopped, and afterwards no later workload may overtake it.
   */
  private static boolean isBarred(WorkloadStatus status) {
    return status.denies(WorkloadStatus.REQUEUED)
        && !DRAINED.contains(status.reason(WorkloadStatus.REQUEUED));
  }

  private PendingWorkload pending(Workload workload, String clusterQueue) {
    return new PendingWorkload(
        identity(workload),
        workload.object().label(KueueNames.JOB_UID),
        new QueueNames(workload.queueName(), clusterQueue),
        precedence(workload),
        requests(workload),
        replaced(workload, clusterQueue),
        problems(workload),
        variants.sibling(workload, clusterQueue),
        variants.mayPreempt(workload));
  }

  private QuotaReservation reservation(Workload workload, Admission admission) {
    WorkloadStatus status = workload.status();
    return new QuotaReservation(
        identity(workload),
        workload.object().label(KueueNames.JOB_UID),
        new QueueNames(workload.queueName(), admission.clusterQueue()),
        precedence(workload),
        status.since(WorkloadStatus.QUOTA_RESERVED).orElse(Instant.EPOCH),
        Usage.of(stillUsed(workload, admission)),
        QuotaReservation.State.of(workload.admitted(), status.holds(WorkloadStatus.EVICTED)),
        variants.sibling(workload, admission.clusterQueue()));
  }

  private static WorkloadIdentity identity(Workload workload) {
    ApiObject object = workload.object();
    return new WorkloadIdentity(object.namespace(), object.name(), object.uid());
  }

  private Precedence precedence(Workload workload) {
    return new Precedence(priority(workload), queueTime(workload));
  }

  private long priority(Workload workload) {
    long boost = 0;
    if (configuration.has(Gate.PRIORITY_BOOST)) {
      boost = number(workload.object().annotation(KueueNames.PRIORITY_BOOST));
    }
    return workload.priority() + boost;
  }

  private static long number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException none) {
      return 0;
    }
  }

  private List<PodSetRequest> requests(Workload workload) {
    var requests = new ArrayList<PodSetRequest>();
    for (PodSet podSet : workload.podSets()) {
      int count = needed(podSet, workload);
      OptionalInt least = podSet.minCount();
      PodSpec pod = podSet.template().spec();
      requests.add(
          new PodSetRequest(
              podSet.name(),
              count,
              Math.min(count, least.orElse(count)),
              demand.perPod(workload.object().namespace(), pod),
              PodNeeds.of(pod),
              podSet.group()));
    }
    return requests;
  }

  /** The number of pods of a pod set that still need quota. */
  static int needed(PodSet podSet, Workload workload) {
    int ended = workload.status().reclaimablePods().getOrDefault(podSet.name(), 0);
    return podSet.count() - Math.min(podSet.count(), ended);
  }

  private List<ResourceProblem> problems(Workload workload) {
    var problems = new ArrayList<ResourceProblem>();
    for (PodSet podSet : workload.podSets()) {
      if (podSet.requiresTopology()) {
        problems.add(new ResourceProblem.TopologyRequired(podSet.name()));
      }
      PodSpec pod = podSet.template().spec();
      if (!pod.deviceClaims().isEmpty()) {
        problems.add(new ResourceProblem.DevicesClaimed(podSet.name(), pod.deviceClaims()));
      }
      problems.addAll(demand.problems(workload.object().namespace(), pod));
    }
    return problems;
  }

  /**
   * An admission without its reclaimable pods, and without the pods by which a slice was scaled
   * down. For any other workload a smaller pod set says nothing about the pods that run.
   */
  private static Admission stillUsed(Workload workload, Admission admission) {
    SortedMap<String, Integer> reclaimable = workload.status().reclaimablePods();
    boolean scalesDown = SliceRules.scalesDown(workload);
    if (reclaimable.isEmpty() && !scalesDown) {
      return admission;
    }
    int before = Int32.positive(workload.object().annotation(KueueNames.RECLAIMABLE_OF)).orElse(0);
    var counts = new TreeMap<String, Integer>();
    workload.podSets().forEach(podSet -> counts.put(podSet.name(), podSet.count()));
    var assignments = new ArrayList<Admission.Assignment>();
    for (Admission.Assignment assignment : admission.assignments()) {
      int wanted = counts.getOrDefault(assignment.podSet(), assignment.count());
      int ended = reclaimable.getOrDefault(assignment.podSet(), 0);
      int size = Math.max(wanted, scalesDown ? before : assignment.count());
      int running = Math.max(0, size - ended);
      // An elastic job scales down ended pods first.
      int left = scalesDown ? Math.min(wanted, running) : running;
      assignments.add(left < assignment.count() ? shrunk(assignment, left) : assignment);
    }
    return new Admission(admission.clusterQueue(), assignments);
  }

  private static Admission.Assignment shrunk(Admission.Assignment assignment, int count) {
    var usage = new TreeMap<String, Long>();
    assignment
        .usage()
        .forEach((resource, amount) -> usage.put(resource, amount / assignment.count() * count));
    return new Admission.Assignment(
        assignment.podSet(), count, assignment.flavors(), new Amounts(usage));
  }

  /** The slice that a workload replaces. One successor takes over its quota, in the same queue. */
  private Optional<Replaced> replaced(Workload workload, String clusterQueue) {
    return SliceRules.predecessor(workload.object())
        .flatMap(cluster::get)
        .map(Workload::new)
        .filter(slice ->
            !slice.finished() && SliceRules.areOfOneJob(workload, slice) && !isReplaced(slice))
        .flatMap(slice ->
            slice
                .admission()
                .map(held -> new Replaced(slice.object().path(), left(slice, held, clusterQueue))));
  }

  private static Usage left(Workload slice, Admission held, String clusterQueue) {
    return held.clusterQueue().equals(clusterQueue) ? Usage.of(stillUsed(slice, held)) : Usage.NONE;
  }
}
