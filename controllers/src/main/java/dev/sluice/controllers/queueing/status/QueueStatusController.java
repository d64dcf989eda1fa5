package dev.sluice.controllers.queueing.status;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.admission.ActiveCondition;
import dev.sluice.controllers.queueing.admission.QueueCache;
import dev.sluice.engine.admission.AdmissionQueues;
import dev.sluice.engine.fairness.ConsumedUsage;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.model.Amounts;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.model.kueue.QueueStatus;
import dev.sluice.model.kueue.QueueStatus.FlavorUse;
import dev.sluice.model.kueue.ResourceGroup;
import dev.sluice.model.kueue.StopPolicy;
import dev.sluice.model.kueue.Workload;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.ObjectEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The controller of the status of ClusterQueues and LocalQueues: pending and admitted workloads,
 * usage, and the condition Active. A status is written at most once a second, and less often while
 * a queue is busy, so that jobs start first.
 */
public final class QueueStatusController implements Controller {
  private static final Duration MIN_INTERVAL = Duration.ofSeconds(1);
  private static final Duration MAX_INTERVAL = Duration.ofSeconds(5);

  private final Cluster cluster;
  private final QueueCache cache;
  private final ActiveCondition activeCondition;
  private final boolean fairSharing;
  private final Map<ObjectKey, Pace> paces = new LinkedHashMap<>();

  /** The time of the last write, and the interval until the next. */
  private record Pace(Instant written, Duration interval) {
    Instant next() {
      return written.plus(interval);
    }

    /** The interval doubles if the queue is written again as soon as it ends. */
    Pace again(Instant now) {
      boolean busy = now.isBefore(next().plus(MIN_INTERVAL));
      Duration twice = interval.multipliedBy(2);
      return new Pace(
          now, !busy ? MIN_INTERVAL : twice.compareTo(MAX_INTERVAL) < 0 ? twice : MAX_INTERVAL);
    }
  }

  public QueueStatusController(Cluster cluster, QueueCache cache, Configuration configuration) {
    this.cluster = cluster;
    this.cache = cache;
    this.fairSharing = configuration.fairSharing().isPresent();
    this.activeCondition = new ActiveCondition(cluster);
  }

  @Override
  public String name() {
    return "queue-status";
  }

  @Override
  public List<Trigger> triggers() {
    return List.of(
        new Trigger(Kinds.WORKLOAD, this::queuesOf),
        new Trigger(Kinds.LOCAL_QUEUE, this::withClusterQueue),
        new Trigger(Kinds.CLUSTER_QUEUE, this::withLocalQueues),
        new Trigger(Kinds.RESOURCE_FLAVOR, event -> allClusterQueues()),
        new Trigger(Kinds.TOPOLOGY, event -> allClusterQueues()),
        new Trigger(Kinds.COHORT, event -> allClusterQueues()),
        new Trigger(Kinds.ADMISSION_CHECK, event -> allClusterQueues()));
  }

  private List<ObjectKey> queuesOf(ObjectEvent event) {
    var keys = new TreeSet<ObjectKey>();
    for (ApiObject object : List.of(event.object(), event.before().orElse(event.object()))) {
      var workload = new Workload(object);
      ObjectKey localQueue = Kinds.LOCAL_QUEUE.key(object.namespace(), workload.queueName());
      keys.add(localQueue);
      clusterQueueOf(localQueue).ifPresent(keys::add);
      workload.clusterQueue().ifPresent(queue -> keys.add(Kinds.CLUSTER_QUEUE.key(queue)));
    }
    return List.copyOf(keys);
  }

  private Optional<ObjectKey> clusterQueueOf(ObjectKey localQueue) {
    return cluster
        .get(localQueue)
        .map(queue -> Kinds.CLUSTER_QUEUE.key(new LocalQueue(queue).clusterQueue()));
  }

  private List<ObjectKey> withClusterQueue(ObjectEvent event) {
    var queue = new LocalQueue(event.object());
    return List.of(
        event.object().key(Kinds.LOCAL_QUEUE), Kinds.CLUSTER_QUEUE.key(queue.clusterQueue()));
  }

  private List<ObjectKey> withLocalQueues(ObjectEvent event) {
    var keys = new ArrayList<ObjectKey>();
    keys.add(event.object().key(Kinds.CLUSTER_QUEUE));
    boolean same =
        event.type() == ObjectEvent.Type.MODIFIED
            && event.before().map(QueueStatusController::activity).stream()
                .allMatch(activity(event.object())::equals);
    if (same) {
      return keys; // the status of LocalQueues depends only on whether it exists and is active
    }
    for (ApiObject queue : cluster.list(Kinds.LOCAL_QUEUE)) {
      if (new LocalQueue(queue).clusterQueue().equals(event.object().name())) {
        keys.add(queue.key(Kinds.LOCAL_QUEUE));
      }
    }
    return keys;
  }

  private static List<Object> activity(ApiObject queue) {
    return List.of(
        queue.spec(), queue.isDeleting(), Condition.holds(queue.status(), ClusterQueue.ACTIVE));
  }

  private List<ObjectKey> allClusterQueues() {
    return cluster.list(Kinds.CLUSTER_QUEUE).stream()
        .map(queue -> queue.key(Kinds.CLUSTER_QUEUE))
        .toList();
  }

  @Override
  public Outcome reconcile(ObjectKey key) {
    Optional<ApiObject> found = cluster.get(key);
    if (found.isEmpty()) {
      paces.remove(key);
      return Outcome.DONE;
    }
    ApiObject queue = found.get();
    Instant now = cluster.time().now();
    Optional<Pace> pace = Optional.ofNullable(paces.get(key));
    if (pace.isPresent() && pace.get().next().isAfter(now)) {
      return Outcome.again(Duration.between(now, pace.get().next()));
    }
    Computed computed =
        key.kind().equals(Kinds.CLUSTER_QUEUE) ? clusterQueue(queue) : localQueue(queue);
    QueueStatus status = computed.status();
    if (!status.tree().equals(queue.status())) {
      cluster.patchStatus(key.kind(), queue, status.tree());
      paces.put(key, pace.map(last -> last.again(now)).orElse(new Pace(now, MIN_INTERVAL)));
    }
    return computed.isFinal() ? next(key, status, now) : Outcome.again(MIN_INTERVAL);
  }

  /**
   * @param isFinal false if a reservation in it is being written: no event follows if that write is
   *     refused
   */
  private record Computed(QueueStatus status, boolean isFinal) {}

  /** With admission fair sharing, the usage of a busy LocalQueue is sampled periodically. */
  private Outcome next(ObjectKey key, QueueStatus status, Instant now) {
    if (key.kind().equals(Kinds.CLUSTER_QUEUE) || status.admitted() == 0) {
      return Outcome.DONE;
    }
    return status
        .consumptionUpdated()
        .flatMap(at -> cache.samplingInterval().map(at::plus))
        .map(at -> Outcome.again(at.isAfter(now) ? Duration.between(now, at) : MIN_INTERVAL))
        .orElse(Outcome.DONE);
  }

  private Computed clusterQueue(ApiObject object) {
    var queue = new ClusterQueue(object);
    return cache.read(queues -> {
      List<QuotaReservation> held = List.copyOf(queues.ledger().reservations(queue.name()));
      QueueStatus status =
          withShare(
                  queues, queue, counted(object, queues.lengths().of(queue.name()).pending(), held))
              .withUse(use(queue, held, _ -> true), use(queue, held, QuotaReservation::admitted))
              .withCondition(activeCondition.of(queue), cluster.time().now(), object.generation());
      return new Computed(status, !cache.isAssumed(held));
    });
  }

  /** Adds the weighted share, with fair sharing. */
  private QueueStatus withShare(AdmissionQueues queues, ClusterQueue queue, QueueStatus status) {
    return queues
        .ledger()
        .tree()
        .queue(queue.name())
        .filter(_ -> fairSharing)
        .map(node -> status.withWeightedShare(node.share().rounded()))
        .orElseGet(status::withoutFairSharing);
  }

  private Computed localQueue(ApiObject object) {
    var localQueue = new LocalQueue(object);
    Optional<ClusterQueue> target =
        cluster.get(Kinds.CLUSTER_QUEUE.key(localQueue.clusterQueue())).map(ClusterQueue::new);
    Optional<ConsumedUsage> consumed = cache.consumed(localQueue);
    return cache.read(queues -> {
      List<QuotaReservation> held = held(queues, localQueue);
      QueueStatus counted =
          withConsumedUsage(
              consumed,
              counted(
                  object,
                  queues.lengths().pending(localQueue.clusterQueue(), object.path()),
                  held));
      QueueStatus status =
          target
              .map(queue ->
                  counted.withUse(
                      ofLocalQueue(use(queue, held, _ -> true)),
                      ofLocalQueue(use(queue, held, QuotaReservation::admitted))))
              .orElseGet(() -> counted.withUse(List.of(), List.of()))
              .withCondition(active(localQueue, target), cluster.time().now(), object.generation());
      return new Computed(status, !cache.isAssumed(held));
    });
  }

  private static QueueStatus withConsumedUsage(
      Optional<ConsumedUsage> consumed, QueueStatus status) {
    return consumed
        .map(usage ->
            status.withConsumedResources(usage.consumed().byResource(), usage.lastUpdate()))
        .orElseGet(status::withoutFairSharing);
  }

  private static List<QuotaReservation> held(AdmissionQueues queues, LocalQueue localQueue) {
    return queues.ledger().reservations(localQueue.clusterQueue()).stream()
        .filter(reservation -> reservation.localQueuePath().equals(localQueue.object().path()))
        .toList();
  }

  private Condition active(LocalQueue queue, Optional<ClusterQueue> target) {
    if (queue.stopPolicy() != StopPolicy.NONE) {
      return new Condition(LocalQueue.ACTIVE, false, "Stopped", "LocalQueue is stopped");
    }
    if (target.isEmpty()) {
      return inactive("ClusterQueueDoesNotExist");
    }
    return activeCondition.of(target.get()).holds()
        ? new Condition(LocalQueue.ACTIVE, true, "Ready", "Can submit new workloads to localQueue")
        : inactive("ClusterQueueIsInactive");
  }

  private static Condition inactive(String reason) {
    return new Condition(
        LocalQueue.ACTIVE, false, reason, "Can't submit new workloads to clusterQueue");
  }

  private static QueueStatus counted(ApiObject queue, int waiting, List<QuotaReservation> held) {
    long admitted = held.stream().filter(QuotaReservation::admitted).count();
    return new QueueStatus(queue.status()).withWorkloads(waiting, held.size(), admitted);
  }

  private static List<FlavorUse> use(
      ClusterQueue queue, List<QuotaReservation> held, Predicate<QuotaReservation> counts) {
    var sums = new LinkedHashMap<FlavorResource, Long>();
    held.stream()
        .filter(counts)
        .flatMap(reservation -> reservation.usage().entries().stream())
        .forEach(entry -> sums.merge(entry.getKey(), entry.getValue(), Amounts::sum));
    var flavors = new ArrayList<FlavorUse>();
    for (ResourceGroup group : queue.resourceGroups()) {
      for (ResourceGroup.FlavorQuotas flavor : group.flavors()) {
        var amounts = new TreeMap<String, Long>();
        var borrowed = new TreeMap<String, Long>();
        for (String resource : group.coveredResources()) {
          long amount = sums.getOrDefault(new FlavorResource(flavor.name(), resource), 0L);
          amounts.put(resource, amount);
          borrowed.put(resource, queue.cohort().isEmpty() ? 0 : beyond(flavor, resource, amount));
        }
        flavors.add(new FlavorUse(flavor.name(), amounts, borrowed));
      }
    }
    return flavors;
  }

  private static long beyond(ResourceGroup.FlavorQuotas flavor, String resource, long amount) {
    ResourceGroup.Quota quota = flavor.quotas().getOrDefault(resource, ResourceGroup.Quota.NONE);
    return Math.max(0, Amounts.difference(amount, quota.nominal()));
  }

  /** The usage of a LocalQueue, which has no quota of its own and so borrows nothing. */
  private static List<FlavorUse> ofLocalQueue(List<FlavorUse> uses) {
    return uses.stream().map(use -> new FlavorUse(use.flavor(), use.amounts())).toList();
  }
}
