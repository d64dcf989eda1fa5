package dev.sluice.controllers.queueing.admission;

import dev.sluice.controllers.ChangedKeys;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.kueue.QueueStatus;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Controller.Trigger;
import dev.sluice.runtime.ObjectEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The changes of queues and workloads that the QueueCache has yet to apply. Changes that no
 * decision depends on, such as most of the status of a queue, are ignored.
 *
 * <p>Threads: safe.
 */
final class QueueChanges {
  private static final List<ResourceKind> RULES =
      List.of(
          Kinds.CLUSTER_QUEUE,
          Kinds.COHORT,
          Kinds.RESOURCE_FLAVOR,
          Kinds.TOPOLOGY,
          Kinds.ADMISSION_CHECK);

  private final ChangedKeys keys = new ChangedKeys();
  private final ChangedKeys unreserved = new ChangedKeys();
  private final AtomicBoolean rules = new AtomicBoolean(true);
  private final AtomicBoolean namespaces = new AtomicBoolean(true);

  /** The triggers; every event that matters enqueues the same key. */
  List<Trigger> triggers(ObjectKey key) {
    var triggers = new ArrayList<Trigger>();
    triggers.add(new Trigger(Kinds.WORKLOAD, event -> noteWorkload(event, key)));
    triggers.add(new Trigger(Kinds.LOCAL_QUEUE, event -> noteLocalQueue(event, key)));
    triggers.add(new Trigger(Kinds.LIMIT_RANGE, event -> note(event, key)));
    triggers.add(new Trigger(Kinds.RUNTIME_CLASS, event -> noteRuntimeClass(event, key)));
    triggers.add(new Trigger(Kinds.NAMESPACE, event -> noteNamespace(event, key)));
    RULES.forEach(kind -> triggers.add(new Trigger(kind, event -> noteRule(event, key))));
    return triggers;
  }

  private List<ObjectKey> noteWorkload(ObjectEvent event, ObjectKey key) {
    ObjectKey workload = event.object().key(Kinds.WORKLOAD);
    keys.add(workload);
    if (new WorkloadStatus(event.object().status()).denies(WorkloadStatus.QUOTA_RESERVED)) {
      unreserved.add(workload);
    }
    return List.of(key);
  }

  /**
   * A sample of usage in the status is known already, but the order of LocalQueues may have
   * changed.
   */
  private List<ObjectKey> noteLocalQueue(ObjectEvent event, ObjectKey key) {
    boolean sampled =
        event
            .before()
            .filter(before -> !lastSample(before).equals(lastSample(event.object())))
            .isPresent();
    return sampled && !concernsRules(event) ? List.of(key) : note(event, key);
  }

  private static Optional<Instant> lastSample(ApiObject localQueue) {
    return new QueueStatus(localQueue.status()).consumptionUpdated();
  }

  private List<ObjectKey> note(ObjectEvent event, ObjectKey key) {
    if (concernsRules(event)) {
      boolean queue = event.object().isA(Kinds.LOCAL_QUEUE);
      keys.add(event.object().key(queue ? Kinds.LOCAL_QUEUE : Kinds.LIMIT_RANGE));
      return List.of(key);
    }
    return List.of();
  }

  /** The overhead of pods of the class may have changed. */
  private List<ObjectKey> noteRuntimeClass(ObjectEvent event, ObjectKey key) {
    keys.add(event.object().key(Kinds.RUNTIME_CLASS));
    return List.of(key);
  }

  private List<ObjectKey> noteNamespace(ObjectEvent event, ObjectKey key) {
    boolean relabelled =
        event.type() == ObjectEvent.Type.DELETED
            || event.before().isEmpty()
            || !event.before().get().labels().equals(event.object().labels());
    if (relabelled) {
      namespaces.set(true);
      return List.of(key);
    }
    return List.of();
  }

  private List<ObjectKey> noteRule(ObjectEvent event, ObjectKey key) {
    boolean check = event.object().isA(Kinds.ADMISSION_CHECK);
    if (check || concernsRules(event)) {
      rules.set(true);
      return List.of(key);
    }
    return List.of();
  }

  /** No decision depends on the status alone. */
  private static boolean concernsRules(ObjectEvent event) {
    return !event.keepsSpec()
        || event
            .before()
            .filter(before -> before.isDeleting() == event.object().isDeleting())
            .isEmpty();
  }

  void add(ObjectKey key) {
    keys.add(key);
  }

  /**
   * The changed workloads, and the LocalQueues, LimitRanges and RuntimeClasses whose change
   * concerns workloads.
   */
  List<ObjectKey> takeKeys() {
    return keys.takeAll();
  }

  /** The changed workloads whose condition QuotaReserved is false. */
  List<ObjectKey> takeUnreserved() {
    return unreserved.takeAll();
  }

  /** Whether ClusterQueues, Cohorts, flavors, topologies or checks changed. */
  boolean takeRules() {
    return rules.getAndSet(false);
  }

  /** Whether the labels of namespaces changed. */
  boolean takeNamespaces() {
    return namespaces.getAndSet(false);
  }
}
