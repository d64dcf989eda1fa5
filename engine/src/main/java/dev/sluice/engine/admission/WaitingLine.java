package dev.sluice.engine.admission;

import dev.sluice.engine.flavor.ScanProgress;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The workloads that wait in one queue.
 *
 * <p>Goal: find the next in line, and put aside and bring back those who cannot go, at a cost that
 * does not grow with the length of the line. Method: workloads of the same {@linkplain
 * PendingWorkload#shape shape} get the same answer, so they stand together and are <em>parked</em>
 * and woken together. The head of the line is the first of all groups that are not parked.
 *
 * <p>Threads: one owner.
 */
final class WaitingLine {
  private final Comparator<String> byUsage;
  private QueueSpec queue;
  private final Map<String, Item> items = new HashMap<>();
  private final Map<GroupKey, Group> groups = new HashMap<>();
  private final Map<String, Integer> byLocalQueue = new HashMap<>();
  private final TreeSet<Group> ready = new TreeSet<>();
  private @Nullable String preemptor;
  private boolean fresh;
  private long epoch;

  WaitingLine(QueueSpec queue, Comparator<String> byUsage) {
    this.queue = queue;
    this.byUsage = byUsage;
  }

  QueueSpec queue() {
    return queue;
  }

  /** Follows a change of the queue's rules; all are looked at anew. */
  void redefine(QueueSpec changed) {
    boolean regroup = changed.sharesByUsage() != queue.sharesByUsage();
    queue = changed;
    if (regroup) {
      List<Item> all = List.copyOf(items.values());
      all.forEach(item -> remove(item.workload().path()));
      all.forEach(item -> put(item.workload()));
    }
    wake();
  }

  int size() {
    return items.size();
  }

  /** How many are parked. */
  int parked() {
    return items.size() - ready.stream().mapToInt(group -> group.members.size()).sum();
  }

  /** How many come from a LocalQueue. */
  int waiting(String localQueue) {
    return byLocalQueue.getOrDefault(localQueue, 0);
  }

  boolean isParked(Item item) {
    return item.group.parked;
  }

  Optional<Item> item(String path) {
    return Optional.ofNullable(items.get(path));
  }

  /** All who wait, in order. */
  List<PendingWorkload> inOrder() {
    var all = new ArrayList<PendingWorkload>(items.size());
    items.values().forEach(item -> all.add(item.workload));
    Comparator<PendingWorkload> order = Comparator.naturalOrder();
    all.sort(
        queue.sharesByUsage()
            ? Comparator.comparing(PendingWorkload::localQueuePath, byUsage).thenComparing(order)
            : order);
    return all;
  }

  Collection<Item> items() {
    return items.values();
  }

  /** Whether there is a head that nobody has looked at since something changed. */
  boolean isFresh() {
    return fresh && !ready.isEmpty();
  }

  /** The head was looked at and stays; it need not be looked at before something changes. */
  void settle() {
    fresh = false;
  }

  /** The head should be looked at again. */
  void refresh() {
    fresh = true;
  }

  /** Adds a workload, or replaces what was known of it. */
  void put(PendingWorkload workload) {
    Item known = items.get(workload.path());
    if (known != null && known.workload.equals(workload)) {
      return;
    }
    if (known != null) {
      detach(known);
    }
    var key = new GroupKey(workload.shape(), queue.sharesByUsage() ? workload.localQueue() : "");
    Group group = groups.computeIfAbsent(key, Group::new);
    items.put(workload.path(), new Item(workload, group));
    byLocalQueue.merge(workload.localQueuePath(), 1, Integer::sum);
    unlist(group);
    group.members.add(workload);
    list(group);
  }

  void remove(String path) {
    Item item = items.remove(path);
    if (item != null) {
      detach(item);
      if (path.equals(preemptor)) {
        preemptor = null;
      }
    }
  }

  private void detach(Item item) {
    Group group = item.group;
    byLocalQueue.computeIfPresent(
        item.workload.localQueuePath(), (_, count) -> count == 1 ? null : count - 1);
    unlist(group);
    group.members.remove(item.workload);
    if (group.members.isEmpty()) {
      groups.remove(group.key);
    } else {
      list(group);
    }
    fresh = true;
  }

  private void unlist(Group group) {
    if (!group.parked && !group.members.isEmpty()) {
      ready.remove(group);
    }
  }

  private void list(Group group) {
    if (!group.parked) {
      ready.add(group);
      fresh = true;
    }
  }

  /** The next in line. */
  Optional<Item> head() {
    if (ready.isEmpty()) {
      return Optional.empty();
    }
    if (queue.sharesByUsage()) {
      return Optional.of(item(leastUsed().members.first()));
    }
    Item sticky = preemptor == null || queue.strict() ? null : items.get(preemptor);
    return Optional.of(
        sticky != null && !sticky.group.parked ? sticky : item(ready.first().members.first()));
  }

  private Group leastUsed() {
    Group least = ready.first();
    for (Group group : ready) {
      if (byUsage.compare(
              group.members.first().localQueuePath(), least.members.first().localQueuePath())
          < 0) {
        least = group;
      }
    }
    return least;
  }

  private Item item(PendingWorkload workload) {
    Item item = items.get(workload.path());
    if (item == null) {
      throw new IllegalStateException(workload.path() + " is in a group but not in the line");
    }
    return item;
  }

  /** Puts a workload aside with all who ask for the same. */
  void park(Item item) {
    if (!item.group.parked) {
      unlist(item.group);
      item.group.parked = true;
    }
  }

  /** Brings everybody back who was put aside. */
  void wake() {
    for (Group group : groups.values()) {
      if (group.parked) {
        group.parked = false;
        ready.add(group);
      }
    }
    epoch++;
    fresh = true;
  }

  /** Changes whenever what was found out for its workloads may have become wrong. */
  long epoch() {
    return epoch;
  }

  /** From now on this one comes first, until it leaves or another takes its place. */
  void stick(Item item) {
    preemptor = item.workload.path();
  }

  boolean isPreemptor(Item item) {
    return item.workload.path().equals(preemptor);
  }

  /** A place in the line, with what the last look found out. */
  static final class Item {
    private final PendingWorkload workload;
    private final Group group;
    private @Nullable Nomination nomination;
    private ScanProgress progress = ScanProgress.NONE;

    private Item(PendingWorkload workload, Group group) {
      this.workload = workload;
      this.group = group;
    }

    PendingWorkload workload() {
      return workload;
    }

    /** What was found the last time, if it still holds. */
    Optional<Nomination> nomination(long epoch) {
      return nomination != null && nomination.epoch() == epoch
          ? Optional.of(nomination)
          : Optional.empty();
    }

    /** Who was found to have to give way for it, the last time. */
    List<Target> targets() {
      return nomination == null ? List.of() : nomination.targets();
    }

    void remember(Nomination found) {
      nomination = found;
    }

    void forget() {
      nomination = null;
    }

    /** How far the flavors have been looked through. */
    ScanProgress progress() {
      return progress;
    }

    void continueFrom(ScanProgress reached) {
      progress = reached;
    }
  }

  /** Where LocalQueues take turns, only workloads of the same one stand together. */
  private record GroupKey(PendingWorkload.Shape shape, String localQueue) {}

  /** Those of the same shape; never empty while it is listed. */
  private static final class Group implements Comparable<Group> {
    private final GroupKey key;
    private final TreeSet<PendingWorkload> members = new TreeSet<>();
    private boolean parked;

    private Group(GroupKey key) {
      this.key = key;
    }

    @Override
    public int compareTo(Group other) {
      return this == other ? 0 : members.first().compareTo(other.members.first());
    }
  }
}
