package dev.sluice.controllers.queueing.admission;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.ConditionReasons;
import dev.sluice.controllers.queueing.VariantPolicy;
import dev.sluice.engine.admission.AdmissionQueues;
import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.engine.fairness.ConsumedUsage;
import dev.sluice.engine.fairness.UsageAccounts;
import dev.sluice.engine.queue.FlavorSpec;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.engine.quota.QuotaSpec;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.Cohort;
import dev.sluice.model.kueue.LocalQueue;
import dev.sluice.model.kueue.ResourceFlavor;
import dev.sluice.model.kueue.Workload;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller.Trigger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The engine's queues, kept up to date with the cluster's objects.
 *
 * <p>The watch only collects the keys of changed objects; every read and every cycle applies them
 * first. Decisions that are being written count as done: until {@link #assumptionEnded} is called
 * for a workload, its object is not read.
 *
 * <p>Threads: safe. One lock guards the queues; it is never held over a write.
 */
public final class QueueCache {
  private final Cluster cluster;
  private final WorkloadReader reader;
  private final ActiveCondition activeCondition;
  private final ConditionReasons conditionReasons;
  private final ReentrantLock lock = new ReentrantLock();
  private final AdmissionQueues queues;
  private final Optional<LocalQueueUsage> usage;
  private final QueueChanges changes = new QueueChanges();
  private final Set<ObjectKey> assumed = new LinkedHashSet<>();
  private final WorkloadsByQueue byQueue = new WorkloadsByQueue();
  private final SliceChains slices = new SliceChains();
  private final VariantParents parents = new VariantParents();
  private final VariantPolicy variants;

  public QueueCache(Cluster cluster, Configuration configuration) {
    this.cluster = cluster;
    this.variants = new VariantPolicy(cluster, configuration);
    this.reader =
        new WorkloadReader(
            cluster, configuration, slices, new VariantReading(cluster, parents, variants));
    this.activeCondition = new ActiveCondition(cluster);
    this.conditionReasons = ConditionReasons.of(configuration);
    Optional<UsageAccounts> accounts = EngineRules.accounts(configuration);
    this.queues = new AdmissionQueues(EngineRules.of(configuration, accounts));
    this.usage = accounts.map(all -> new LocalQueueUsage(cluster, queues, all));
  }

  /** A cache of the current objects, for a single read; it follows no changes. */
  public static QueueCache rebuilt(Cluster cluster, Configuration configuration) {
    var cache = new QueueCache(cluster, configuration);
    cluster
        .list(Kinds.WORKLOAD)
        .forEach(workload -> cache.changes.add(workload.key(Kinds.WORKLOAD)));
    return cache;
  }

  /** The kind of reasons in the conditions of pending workloads. */
  ConditionReasons conditionReasons() {
    return conditionReasons;
  }

  /** The triggers of a controller with a single key. */
  List<Trigger> triggers(ObjectKey key) {
    return changes.triggers(key);
  }

  /** Notifies a listener of every victim from now on that need not be evicted. */
  public void watch(Consumer<String> listener) {
    lock.lock();
    try {
      queues.watch(listener);
    } finally {
      lock.unlock();
    }
  }

  /** Reads the queues, with all changes of objects applied. */
  public <T> T read(Function<AdmissionQueues, T> question) {
    lock.lock();
    try {
      catchUp();
      return question.apply(queues);
    } finally {
      lock.unlock();
    }
  }

  /**
   * The usage of a LocalQueue, sampled if that is due; empty if its ClusterQueue has no admission
   * fair sharing.
   */
  public Optional<ConsumedUsage> consumed(LocalQueue queue) {
    lock.lock();
    try {
      catchUp();
      return usage.flatMap(all -> all.sample(queue));
    } finally {
      lock.unlock();
    }
  }

  /** The interval at which usage is sampled, with admission fair sharing. */
  public Optional<Duration> samplingInterval() {
    return usage.map(LocalQueueUsage::interval);
  }

  /** Runs an admission cycle; its decisions count as done until {@link #assumptionEnded}. */
  List<AdmissionDecision> decide(Instant now, int limit) {
    lock.lock();
    try {
      catchUp();
      usage.ifPresent(all -> all.advance(now));
      List<AdmissionDecision> decisions = queues.decide(now, limit);
      for (AdmissionDecision decision : decisions) {
        if (decision instanceof AdmissionDecision.Admit admit) {
          assumed.add(Kinds.WORKLOAD.key(admit.workload().namespace(), admit.workload().name()));
        } else if (decision instanceof AdmissionDecision.Preempt preempt) {
          preempt.victims().forEach(one -> assumed.add(key(one.victim())));
        }
      }
      return decisions;
    } finally {
      lock.unlock();
    }
  }

  private static ObjectKey key(QuotaReservation held) {
    return Kinds.WORKLOAD.key(held.namespace(), held.name());
  }

  /**
   * Whether one of these reservations is being written and may be refused; to be called during a
   * {@link #read}.
   */
  public boolean isAssumed(List<QuotaReservation> held) {
    return !assumed.isEmpty() && held.stream().map(QueueCache::key).anyMatch(assumed::contains);
  }

  /**
   * Returns the workloads whose status changed and says that no quota is reserved, and removes
   * them.
   */
  List<ObjectKey> takeUnreserved() {
    return changes.takeUnreserved();
  }

  /** The decision about a workload was written or refused; from now on its object is read again. */
  void assumptionEnded(ObjectKey workload) {
    lock.lock();
    try {
      assumed.remove(workload);
      changes.add(workload);
    } finally {
      lock.unlock();
    }
  }

  private void catchUp() {
    if (changes.takeRules()) {
      define();
      if (variants.isOn()) {
        byQueue.in("").forEach(changes::add); // queues may have other variants or flavors now
      }
    }
    if (changes.takeNamespaces()) {
      var labels = new TreeMap<String, SortedMap<String, String>>();
      cluster
          .list(Kinds.NAMESPACE)
          .forEach(namespace -> labels.put(namespace.name(), namespace.labels()));
      queues.namespacesChanged(labels);
    }
    var postponed = new ArrayList<ObjectKey>();
    for (ObjectKey key : changes.takeKeys()) {
      if (key.kind().equals(Kinds.LOCAL_QUEUE)) {
        usage.ifPresent(all -> all.follow(key));
      }
      for (ObjectKey workload : workloads(key)) {
        if (assumed.contains(workload)) {
          postponed.add(workload);
        } else {
          refresh(workload);
        }
      }
    }
    postponed.forEach(changes::add);
  }

  /**
   * The workloads that a changed object concerns: a workload with its slices and its parent, or the
   * workloads of a LocalQueue, a namespace or the whole cluster.
   */
  private Collection<ObjectKey> workloads(ObjectKey key) {
    if (key.kind().equals(Kinds.WORKLOAD)) {
      Optional<ApiObject> unfinished =
          cluster.get(key).filter(workload -> !new Workload(workload).finished());
      var concerned = new LinkedHashSet<>(slices.note(key, unfinished));
      concerned.addAll(parents.note(key, unfinished));
      return concerned;
    }
    return key.kind().equals(Kinds.LOCAL_QUEUE) ? byQueue.of(key) : byQueue.in(key.namespace());
  }

  private void define() {
    queues.queuesChanged(
        cluster.list(Kinds.CLUSTER_QUEUE).stream()
            .map(ClusterQueue::new)
            .map(queue -> QueueSpec.of(queue, activeCondition.of(queue).holds()))
            .toList(),
        cluster.list(Kinds.COHORT).stream()
            .map(cohort -> QuotaSpec.of(new Cohort(cohort)))
            .toList(),
        cluster.list(Kinds.RESOURCE_FLAVOR).stream()
            .map(flavor -> FlavorSpec.of(new ResourceFlavor(flavor)))
            .toList());
  }

  private void refresh(ObjectKey key) {
    String path = key.path();
    Optional<ApiObject> object = cluster.get(key);
    byQueue.note(key, object.map(Workload::new).filter(workload -> !workload.finished()));
    switch (object.map(reader::read).orElseGet(WorkloadReader.State.None::new)) {
      case WorkloadReader.State.Pending(var workload) -> {
        usage.ifPresent(all -> all.forgive(path));
        queues.workloadPending(workload);
      }
      case WorkloadReader.State.BackingOff(var workload) -> {
        usage.ifPresent(all -> all.forgive(path));
        queues.workloadBackingOff(workload);
      }
      case WorkloadReader.State.Reserved(var reservation, boolean ready) -> {
        usage.ifPresent(all -> all.settle(reservation));
        queues.quotaReserved(reservation);
        queues.podsReady(path, ready);
      }
      case WorkloadReader.State.None() -> {
        usage.ifPresent(all -> all.forgive(path));
        queues.workloadLeft(path);
        queues.quotaReleased(path);
      }
    }
  }
}
