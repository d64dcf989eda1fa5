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
 * Keeps the engine's queues in step with the objects of a world.
 *
 * <p>The watch only notes what changed; the book catches up when somebody reads it or decides. What
 * was decided is assumed while it is being written: the objects of those workloads are not read
 * until {@link #assumptionEnded}.
 *
 * <p>Threads: safe. One lock guards the queues; it is never held over a write.
 */
public final class QueueCache {
  private final Cluster cluster;
  private final WorkloadReader reading;
  private final ActiveCondition health;
  private final ConditionReasons wording;
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
    this.reading =
        new WorkloadReader(
            cluster, configuration, slices, new VariantReading(cluster, parents, variants));
    this.health = new ActiveCondition(cluster);
    this.wording = ConditionReasons.of(configuration);
    Optional<UsageAccounts> accounts = EngineRules.accounts(configuration);
    this.queues = new AdmissionQueues(EngineRules.of(configuration, accounts));
    this.usage = accounts.map(all -> new LocalQueueUsage(cluster, queues, all));
  }

  /** A book of how the objects are now, for a look at them; it follows no changes. */
  public static QueueCache rebuilt(Cluster cluster, Configuration configuration) {
    var book = new QueueCache(cluster, configuration);
    cluster
        .list(Kinds.WORKLOAD)
        .forEach(workload -> book.changes.add(workload.key(Kinds.WORKLOAD)));
    return book;
  }

  /** In which words it is told why workloads wait. */
  ConditionReasons wording() {
    return wording;
  }

  /** What to watch; every event that matters asks for one key. */
  List<Trigger> triggers(ObjectKey key) {
    return changes.triggers(key);
  }

  /** Whoever is to be evicted from now on without need is told of, in words. */
  public void watch(Consumer<String> told) {
    lock.lock();
    try {
      queues.watch(told);
    } finally {
      lock.unlock();
    }
  }

  /** Reads the queues as the objects have them now. */
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
   * What a LocalQueue has used up to now, sampled if it is time; empty if its ClusterQueue does not
   * share by usage.
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

  /** How often usage is sampled, where it counts. */
  public Optional<Duration> samplingInterval() {
    return usage.map(LocalQueueUsage::interval);
  }

  /** Decides; what is decided is assumed until {@link #assumptionEnded}. */
  List<AdmissionDecision> decide(Instant now, int most) {
    lock.lock();
    try {
      catchUp();
      usage.ifPresent(all -> all.advance(now));
      List<AdmissionDecision> decisions = queues.decide(now, most);
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

  /** Whether something of this may still be refused; to be asked while {@link #read reading}. */
  public boolean isAssumed(List<QuotaReservation> held) {
    return !assumed.isEmpty() && held.stream().map(QueueCache::key).anyMatch(assumed::contains);
  }

  /** The workloads that somebody told why they wait, since this was asked last. */
  List<ObjectKey> takeTold() {
    return changes.takeTold();
  }

  /**
   * Ends the assumption about a workload whose decision was written, was refused or was stale: its
   * object is read again, also if nothing was written.
   */
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
        byQueue.in("").forEach(changes::add); // other queues may have variants, or other flavors
      }
    }
    if (changes.takeNamespaces()) {
      var labels = new TreeMap<String, SortedMap<String, String>>();
      cluster.list(Kinds.NAMESPACE).forEach(one -> labels.put(one.name(), one.labels()));
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
   * A workload, its slices and its parent, or those of a LocalQueue, a namespace or the whole
   * cluster.
   */
  private Collection<ObjectKey> workloads(ObjectKey key) {
    if (key.kind().equals(Kinds.WORKLOAD)) {
      Optional<ApiObject> unfinished =
          cluster.get(key).filter(one -> !new Workload(one).finished());
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
            .map(queue -> QueueSpec.of(queue, health.of(queue).holds()))
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
    byQueue.note(key, object.map(Workload::new).filter(one -> !one.finished()));
    switch (object.map(reading::read).orElseGet(WorkloadReader.State.None::new)) {
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
