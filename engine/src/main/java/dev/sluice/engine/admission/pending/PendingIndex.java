package dev.sluice.engine.admission.pending;

import dev.sluice.engine.queue.PendingWorkload;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The pending workloads of a queue: by equivalence key, and how many each LocalQueue has. */
public final class PendingIndex {
  private final Map<EquivalenceGroup.Key, EquivalenceGroup> groups = new LinkedHashMap<>();
  private final Map<LocalQueue, Integer> byLocalQueue = new LinkedHashMap<>();
  private int size;

  private record LocalQueue(String namespace, String name) {

    static LocalQueue of(PendingEntry entry) {
      return new LocalQueue(entry.workload().namespace(), entry.workload().localQueue());
    }
  }

  public int size() {
    return size;
  }

  /** How many workloads of a LocalQueue, as {@code namespace/name}, are pending. */
  public int pending(String localQueue) {
    int slash = localQueue.indexOf('/');
    return slash < 0
        ? 0
        : byLocalQueue.getOrDefault(
            new LocalQueue(localQueue.substring(0, slash), localQueue.substring(slash + 1)), 0);
  }

  Collection<EquivalenceGroup> groups() {
    return Collections.unmodifiableCollection(groups.values());
  }

  /** All workloads, in no particular order. */
  public List<PendingEntry> entries() {
    var entries = new ArrayList<PendingEntry>(size);
    groups.values().forEach(group -> group.forEach(entries::add));
    return entries;
  }

  List<PendingWorkload> inOrder(
      Collection<PendingWorkload> others, Comparator<PendingWorkload> order) {
    var all = new ArrayList<PendingWorkload>(size + others.size());
    all.addAll(others);
    entries().forEach(entry -> all.add(entry.workload()));
    all.sort(order);
    return all;
  }

  public SortedMap<String, QueueLength> lengthsByLocalQueue() {
    var lengths = new TreeMap<String, QueueLength>();
    for (PendingEntry entry : entries()) {
      lengths.merge(
          entry.workload().localQueuePath(),
          new QueueLength(1, entry.isInadmissible() ? 1 : 0),
          QueueLength::plus);
    }
    return lengths;
  }

  /** The group of the workloads with a key; the caller adds an entry to it. */
  EquivalenceGroup group(EquivalenceGroup.Key key) {
    return groups.computeIfAbsent(key, EquivalenceGroup::new);
  }

  /** An entry for a workload, which shares what is equal with its group. */
  PendingEntry newEntry(EquivalenceGroup.Key key, PendingWorkload workload) {
    EquivalenceGroup group = group(key);
    return new PendingEntry(
        group.isEmpty() ? workload : workload.sharing(group.key.workload()), group);
  }

  /** Counts an entry that was added to its group. */
  void count(PendingEntry entry) {
    size++;
    byLocalQueue.merge(LocalQueue.of(entry), 1, Integer::sum);
  }

  /** Forgets an entry that was removed from its group, and the group with its last entry. */
  void forget(PendingEntry entry) {
    size--;
    byLocalQueue.computeIfPresent(
        LocalQueue.of(entry), (_, count) -> count == 1 ? null : count - 1);
    if (entry.group().isEmpty()) {
      groups.remove(entry.group().key);
    }
  }

  /** Whether every entry that was counted is in a group. */
  boolean isComplete() {
    return groups.values().stream().mapToInt(EquivalenceGroup::size).sum() == size;
  }
}
