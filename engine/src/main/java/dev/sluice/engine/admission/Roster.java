package dev.sluice.engine.admission;

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
final class Roster {
  private final Map<WaitingGroup.Key, WaitingGroup> groups = new LinkedHashMap<>();
  private final Map<String, Integer> byLocalQueue = new LinkedHashMap<>();
  private int size;

  int size() {
    return size;
  }

  /** How many come from a LocalQueue. */
  int waiting(String localQueue) {
    return byLocalQueue.getOrDefault(localQueue, 0);
  }

  Collection<WaitingGroup> groups() {
    return Collections.unmodifiableCollection(groups.values());
  }

  /** All of them, in no particular order. */
  List<WaitingItem> items() {
    var items = new ArrayList<WaitingItem>(size);
    groups.values().forEach(group -> group.forEach(items::add));
    return items;
  }

  List<PendingWorkload> inOrder(Comparator<PendingWorkload> order) {
    var all = new ArrayList<PendingWorkload>(size);
    items().forEach(item -> all.add(item.workload()));
    all.sort(order);
    return all;
  }

  SortedMap<String, AdmissionQueues.Length> lengthsByLocalQueue() {
    var lengths = new TreeMap<String, AdmissionQueues.Length>();
    for (WaitingItem item : items()) {
      lengths.merge(
          item.workload().localQueuePath(),
          new AdmissionQueues.Length(1, item.isParked() ? 1 : 0),
          AdmissionQueues.Length::plus);
    }
    return lengths;
  }

  /** The group of those with a key; who asks for it adds a member. */
  WaitingGroup group(WaitingGroup.Key key) {
    return groups.computeIfAbsent(key, WaitingGroup::new);
  }

  /** Counts one who was added to its group. */
  void count(WaitingItem item) {
    size++;
    byLocalQueue.merge(item.workload().localQueuePath(), 1, Integer::sum);
  }

  /** Forgets one who was removed from its group, and the group with the last of it. */
  void forget(WaitingItem item) {
    size--;
    byLocalQueue.computeIfPresent(
        item.workload().localQueuePath(), (_, count) -> count == 1 ? null : count - 1);
    if (item.group().isEmpty()) {
      groups.remove(item.group().key);
    }
  }

  /** Whether everybody who was counted is in a group. */
  boolean isComplete() {
    return groups.values().stream().mapToInt(WaitingGroup::size).sum() == size;
  }
}
