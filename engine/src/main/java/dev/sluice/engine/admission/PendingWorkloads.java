package dev.sluice.engine.admission;

import dev.sluice.engine.admission.pending.BackoffWorkloads;
import dev.sluice.engine.admission.pending.PendingEntry;
import dev.sluice.engine.admission.pending.PendingQueue;
import dev.sluice.engine.queue.PendingWorkload;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The pending workloads, each in exactly one place: in its queue, without a queue because that does
 * not exist, or backing off.
 */
final class PendingWorkloads {
  private final Map<String, PendingQueue> queues = new LinkedHashMap<>();
  private final Map<String, PendingEntry> inQueues = new LinkedHashMap<>();
  private final Map<String, PendingWorkload> withoutQueue = new TreeMap<>();
  private final BackoffWorkloads backingOff = new BackoffWorkloads();
  private final QueueLengths lengths = new QueueLengths(queues, backingOff);

  /** The queues by name. */
  Map<String, PendingQueue> queues() {
    return Collections.unmodifiableMap(queues);
  }

  @Nullable PendingQueue queue(String name) {
    return queues.get(name);
  }

  /** The queue of an entry. */
  PendingQueue queue(PendingEntry entry) {
    PendingQueue queue = queues.get(entry.workload().clusterQueue());
    if (queue == null) {
      throw new IllegalStateException(entry.path() + " is pending in a queue that does not exist");
    }
    return queue;
  }

  void addQueue(PendingQueue queue) {
    queues.put(queue.spec().name(), queue);
  }

  /** Removes a queue; its workloads are pending without one. */
  void removeQueue(String name) {
    for (PendingEntry entry : Objects.requireNonNull(queues.remove(name)).index().entries()) {
      withoutQueue.put(entry.path(), entry.workload());
      inQueues.remove(entry.path());
    }
  }

  /** The entry of a workload in its queue. */
  @Nullable PendingEntry entry(String path) {
    return inQueues.get(path);
  }

  void add(PendingQueue queue, PendingWorkload workload) {
    inQueues.put(workload.path(), queue.add(workload));
  }

  /** A workload in a queue asks for something else. */
  void replace(PendingQueue queue, PendingEntry known, PendingWorkload workload) {
    inQueues.put(workload.path(), queue.replace(known, workload));
  }

  void addWithoutQueue(PendingWorkload workload) {
    withoutQueue.put(workload.path(), workload);
  }

  void addBackingOff(PendingWorkload workload) {
    backingOff.add(workload);
  }

  /** A workload is in a queue from now on, if anywhere. */
  void removeOutsideQueues(String path) {
    withoutQueue.remove(path);
    backingOff.remove(path);
  }

  /** Removes a workload; returns its entry if it was in a queue. */
  Optional<PendingEntry> remove(String path) {
    removeOutsideQueues(path);
    PendingEntry entry = inQueues.remove(path);
    if (entry != null) {
      queue(entry).remove(entry);
    }
    return Optional.ofNullable(entry);
  }

  /** A workload was admitted, and removed from its queue. */
  void admitted(PendingEntry entry) {
    inQueues.remove(entry.path());
  }

  /** Whether a workload is pending and does not back off. */
  boolean contains(String path) {
    return inQueues.containsKey(path) || withoutQueue.containsKey(path);
  }

  /** The workloads whose queue does not exist. */
  Map<String, PendingWorkload> withoutQueue() {
    return Collections.unmodifiableMap(withoutQueue);
  }

  /** The workloads that back off, by path. */
  Collection<String> backingOff() {
    return backingOff.paths();
  }

  /** The pending workloads of a queue, in order. */
  List<PendingWorkload> inOrder(String clusterQueue) {
    PendingQueue queue = queues.get(clusterQueue);
    return queue == null ? List.of() : queue.inOrder(backingOff.in(clusterQueue));
  }

  /**
   * Why a workload is pending; empty if it is not.
   *
   * @param admits whether the queue of a workload is active
   * @param inQueue the explanation of a workload in a queue
   */
  Optional<Explanation> explain(
      String path, Predicate<PendingWorkload> admits, Function<PendingEntry, Explanation> inQueue) {
    return Optional.ofNullable(withoutQueue.get(path))
        .map(Explanation::withoutQueue)
        .or(() -> Optional.ofNullable(inQueues.get(path)).map(inQueue))
        .or(() ->
            backingOff
                .find(path)
                .map(workload -> Explanation.backingOff(workload, admits.test(workload))));
  }

  QueueLengths lengths() {
    return lengths;
  }
}
