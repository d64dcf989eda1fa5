package dev.sluice.engine.admission.pending;

import dev.sluice.engine.admission.AdmissionQueues;
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

/** Everybody who waits in a line: those of one shape together, and how many each LocalQueue has. */
public final class PendingIndex {
  private final Map<EquivalenceGroup.Key, EquivalenceGroup> groups = new LinkedHashMap<>();
  private final Map<LocalQueue, Integer> byLocalQueue = new LinkedHashMap<>();
  private int size;

  private record LocalQueue(String namespace, String name) {

    static LocalQueue of(PendingEntry item) {
      return new LocalQueue(item.workload().namespace(), item.workload().localQueue());
    }
  }

  public int size() {
    return size;
  }

  /** How many come from a LocalQueue, given as {@code namespace/name}. */
  public int waiting(String localQueue) {
    int slash = localQueue.indexOf('/');
    return slash < 0
        ? 0
        : byLocalQueue.getOrDefault(
            new LocalQueue(localQueue.substring(0, slash), localQueue.substring(slash + 1)), 0);
  }

  Collection<EquivalenceGroup> groups() {
    return Collections.unmodifiableCollection(groups.values());
  }

  /** All of them, in no particular order. */
  public List<PendingEntry> items() {
    var items = new ArrayList<PendingEntry>(size);
    groups.values().forEach(group -> group.forEach(items::add));
    return items;
  }

  List<PendingWorkload> inOrder(
      Collection<PendingWorkload> others, Comparator<PendingWorkload> order) {
    var all = new ArrayList<PendingWorkload>(size + others.size());
    all.addAll(others);
    items().forEach(item -> all.add(item.workload()));
    all.sort(order);
    return all;
  }

  public SortedMap<String, AdmissionQueues.Length> lengthsByLocalQueue() {
    var lengths = new TreeMap<String, AdmissionQueues.Length>();
    for (PendingEntry item : items()) {
      lengths.merge(
          item.workload().localQueuePath(),
          new AdmissionQueues.Length(1, item.isParked() ? 1 : 0),
          AdmissionQueues.Length::plus);
    }
    return lengths;
  }

  /** The group of those with a key; who asks for it adds a member. */
  EquivalenceGroup group(EquivalenceGroup.Key key) {
    return groups.computeIfAbsent(key, EquivalenceGroup::new);
  }

  /** A place for a workload among those with its key, with whom it shares what is equal. */
  PendingEntry item(EquivalenceGroup.Key key, PendingWorkload workload) {
    EquivalenceGroup group = group(key);
    return new PendingEntry(
        group.isEmpty() ? workload : workload.sharing(group.key.shape()), group);
  }

  /** Counts one who was added to its group. */
  void count(PendingEntry item) {
    size++;
    byLocalQueue.merge(LocalQueue.of(item), 1, Integer::sum);
  }

  /** Forgets one who was removed from its group, and the group with the last of it. */
  void forget(PendingEntry item) {
    size--;
    byLocalQueue.computeIfPresent(LocalQueue.of(item), (_, count) -> count == 1 ? null : count - 1);
    if (item.group().isEmpty()) {
      groups.remove(item.group().key);
    }
  }

  /** Whether everybody who was counted is in a group. */
  boolean isComplete() {
    return groups.values().stream().mapToInt(EquivalenceGroup::size).sum() == size;
  }
}
