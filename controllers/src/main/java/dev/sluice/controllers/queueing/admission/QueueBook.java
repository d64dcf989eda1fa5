package dev.sluice.controllers.queueing.admission;

import dev.sluice.controllers.ChangedKeys;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.engine.admission.AdmissionQueues;
import dev.sluice.engine.admission.Decision;
import dev.sluice.engine.queue.FlavorSpec;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.quota.QuotaSpec;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.kueue.ClusterQueue;
import dev.sluice.model.kueue.Cohort;
import dev.sluice.model.kueue.ResourceFlavor;
import dev.sluice.model.kueue.Workload;
import dev.sluice.runtime.Cluster;
import dev.sluice.runtime.Controller.Trigger;
import dev.sluice.runtime.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Keeps the engine's queues in step with the objects of a world.
 *
 * <p>The watch only notes what changed; the book catches up when somebody reads it or decides. What
 * was decided and is being written counts as done: until {@link #written} is told, what the objects
 * still say of those workloads is not looked at.
 *
 * <p>Threads: safe. One lock guards the queues; it is never held over a write.
 */
public final class QueueBook {
  private static final List<ResourceKind> RULES =
      List.of(Kinds.CLUSTER_QUEUE, Kinds.COHORT, Kinds.RESOURCE_FLAVOR, Kinds.ADMISSION_CHECK);

  private final Cluster cluster;
  private final WorkloadReading reading;
  private final QueueHealth health;
  private final ReentrantLock lock = new ReentrantLock();
  private final AdmissionQueues queues;
  private final ChangedKeys changed = new ChangedKeys();
  private final AtomicBoolean rulesChanged = new AtomicBoolean(true);
  private final AtomicBoolean namespacesChanged = new AtomicBoolean(true);
  private final Set<ObjectKey> underWay = new HashSet<>();
  private final Map<String, TreeSet<String>> byLocalQueue = new HashMap<>();
  private final Map<String, String> localQueueOf = new HashMap<>();

  public QueueBook(Cluster cluster, Configuration configuration) {
    this.cluster = cluster;
    this.reading = new WorkloadReading(cluster, configuration);
    this.health = new QueueHealth(cluster);
    this.queues = new AdmissionQueues(EngineRules.of(configuration));
  }

  /** A book of how the objects are now, for a look at them; it follows no changes. */
  public static QueueBook rebuilt(Cluster cluster, Configuration configuration) {
    var book = new QueueBook(cluster, configuration);
    cluster
        .list(Kinds.WORKLOAD)
        .forEach(workload -> book.changed.add(workload.key(Kinds.WORKLOAD)));
    return book;
  }

  /** What to watch; every event that matters asks for one key. */
  List<Trigger> triggers(ObjectKey key) {
    var triggers = new ArrayList<Trigger>();
    triggers.add(new Trigger(Kinds.WORKLOAD, event -> noteWorkload(event, key)));
    triggers.add(new Trigger(Kinds.LOCAL_QUEUE, event -> note(event, key)));
    triggers.add(new Trigger(Kinds.NAMESPACE, event -> noteNamespace(event, key)));
    RULES.forEach(kind -> triggers.add(new Trigger(kind, event -> noteRule(event, key))));
    return triggers;
  }

  private List<ObjectKey> noteWorkload(Event event, ObjectKey key) {
    changed.add(event.object().key(Kinds.WORKLOAD));
    return List.of(key);
  }

  private List<ObjectKey> note(Event event, ObjectKey key) {
    if (concernsRules(event)) {
      changed.add(event.object().key(Kinds.LOCAL_QUEUE));
      return List.of(key);
    }
    return List.of();
  }

  private List<ObjectKey> noteNamespace(Event event, ObjectKey key) {
    boolean relabelled =
        event.type() == Event.Type.DELETED
            || event.before().isEmpty()
            || !event.before().get().labels().equals(event.object().labels());
    if (relabelled) {
      namespacesChanged.set(true);
      return List.of(key);
    }
    return List.of();
  }

  private List<ObjectKey> noteRule(Event event, ObjectKey key) {
    boolean check = event.object().isA(Kinds.ADMISSION_CHECK);
    if (check || concernsRules(event)) {
      rulesChanged.set(true);
      return List.of(key);
    }
    return List.of();
  }

  /** Status alone decides nothing. */
  private static boolean concernsRules(Event event) {
    return event.type() == Event.Type.DELETED
        || event.before().isEmpty()
        || !event.before().get().spec().equals(event.object().spec())
        || event.before().get().isDeleting() != event.object().isDeleting();
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

  /** Decides; what is decided counts as done until {@link #written}. */
  List<Decision> decide(Instant now, int most) {
    lock.lock();
    try {
      catchUp();
      List<Decision> decisions = queues.decide(now, most);
      for (Decision decision : decisions) {
        if (decision instanceof Decision.Admit admit) {
          underWay.add(Kinds.WORKLOAD.key(admit.workload().namespace(), admit.workload().name()));
        } else if (decision instanceof Decision.Preempt preempt) {
          preempt
              .victims()
              .forEach(one ->
                  underWay.add(Kinds.WORKLOAD.key(one.victim().namespace(), one.victim().name())));
        }
      }
      return decisions;
    } finally {
      lock.unlock();
    }
  }

  /** What was decided for a workload was written or refused; from now on its object counts. */
  void written(ObjectKey workload) {
    lock.lock();
    try {
      underWay.remove(workload);
      changed.add(workload);
    } finally {
      lock.unlock();
    }
  }

  private void catchUp() {
    if (rulesChanged.getAndSet(false)) {
      define();
    }
    if (namespacesChanged.getAndSet(false)) {
      var labels = new TreeMap<String, SortedMap<String, String>>();
      cluster.list(Kinds.NAMESPACE).forEach(one -> labels.put(one.name(), one.labels()));
      queues.setNamespaces(labels);
    }
    var postponed = new ArrayList<ObjectKey>();
    for (ObjectKey key : changed.takeAll()) {
      for (ObjectKey workload : workloads(key)) {
        if (underWay.contains(workload)) {
          postponed.add(workload);
        } else {
          refresh(workload);
        }
      }
    }
    postponed.forEach(changed::add);
  }

  /** A workload itself, or those of a LocalQueue. */
  private List<ObjectKey> workloads(ObjectKey key) {
    if (key.kind().equals(Kinds.WORKLOAD)) {
      return List.of(key);
    }
    return byLocalQueue.getOrDefault(key.namespace() + "/" + key.name(), new TreeSet<>()).stream()
        .map(name -> Kinds.WORKLOAD.key(key.namespace(), name))
        .toList();
  }

  private void define() {
    queues.define(
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
    String path = key.namespace() + "/" + key.name();
    Optional<ApiObject> object = cluster.get(key);
    index(path, key.name(), object.map(Workload::new).filter(one -> !one.finished()));
    switch (object.map(reading::read).orElseGet(WorkloadReading.Standing.Elsewhere::new)) {
      case WorkloadReading.Standing.Waits(var workload) -> queues.wait(workload);
      case WorkloadReading.Standing.Holds(var reservation, boolean ready) -> {
        queues.hold(reservation);
        queues.setReady(path, ready);
      }
      case WorkloadReading.Standing.Elsewhere() -> {
        queues.leave(path);
        queues.release(path);
      }
    }
  }

  private void index(String path, String name, Optional<Workload> workload) {
    String queue = workload.map(one -> one.object().namespace() + "/" + one.queueName()).orElse("");
    String before = localQueueOf.getOrDefault(path, "");
    if (before.equals(queue)) {
      return;
    }
    byLocalQueue.computeIfPresent(
        before,
        (_, names) -> {
          names.remove(name);
          return names.isEmpty() ? null : names;
        });
    if (queue.isEmpty()) {
      localQueueOf.remove(path);
    } else {
      localQueueOf.put(path, queue);
      byLocalQueue.computeIfAbsent(queue, _ -> new TreeSet<>()).add(name);
    }
  }
}
