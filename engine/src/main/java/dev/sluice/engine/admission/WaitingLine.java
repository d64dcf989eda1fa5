package dev.sluice.engine.admission;

import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
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
  private Headroom room;
  private final Map<String, WaitingItem> items = new LinkedHashMap<>();
  private final Map<WaitingGroup.Key, WaitingGroup> groups = new LinkedHashMap<>();
  private final Map<String, Integer> byLocalQueue = new LinkedHashMap<>();
  private final TreeSet<WaitingGroup> ready = new TreeSet<>();
  private final ParkedGroups parked = new ParkedGroups();
  private @Nullable String preemptor;
  private boolean fresh;
  private long epoch;
  private long wakes;

  WaitingLine(QueueSpec queue, Headroom room, Comparator<String> byUsage) {
    this.queue = queue;
    this.room = room;
    this.byUsage = byUsage;
  }

  QueueSpec queue() {
    return queue;
  }

  /** Follows a change of the queue's rules; all are looked at anew. */
  void redefine(QueueSpec changed, Headroom changedRoom) {
    boolean regroup = changed.sharesByUsage() != queue.sharesByUsage();
    queue = changed;
    room = changedRoom;
    if (regroup) {
      List<WaitingItem> all = List.copyOf(items.values());
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

  boolean isParked(WaitingItem item) {
    return item.group().parked;
  }

  Optional<WaitingItem> item(String path) {
    return Optional.ofNullable(items.get(path));
  }

  /** All who wait, in order. */
  List<PendingWorkload> inOrder() {
    var all = new ArrayList<PendingWorkload>(items.size());
    items.values().forEach(item -> all.add(item.workload()));
    Comparator<PendingWorkload> order = Comparator.naturalOrder();
    all.sort(
        queue.sharesByUsage()
            ? Comparator.comparing(PendingWorkload::localQueuePath, byUsage).thenComparing(order)
            : order);
    return all;
  }

  Collection<WaitingItem> items() {
    return items.values();
  }

  /** What is wrong with how they stand together, if anything is. */
  Optional<String> fault() {
    int members = groups.values().stream().mapToInt(group -> group.members.size()).sum();
    boolean listed = groups.values().stream().allMatch(one -> one.parked != ready.contains(one));
    return members == items.size() && listed && ready.size() <= groups.size()
        ? Optional.empty()
        : Optional.of("the line of " + queue.name() + " has lost somebody");
  }

  boolean hasHead() {
    return !ready.isEmpty();
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
    WaitingItem known = items.get(workload.path());
    if (known != null && known.workload().equals(workload)) {
      return;
    }
    if (known != null) {
      detach(known);
    }
    var key =
        new WaitingGroup.Key(workload.shape(), queue.sharesByUsage() ? workload.localQueue() : "");
    WaitingGroup group = groups.computeIfAbsent(key, WaitingGroup::new);
    items.put(workload.path(), new WaitingItem(workload, group));
    byLocalQueue.merge(workload.localQueuePath(), 1, Integer::sum);
    unlist(group);
    group.members.add(workload);
    list(group);
  }

  void remove(String path) {
    WaitingItem item = items.remove(path);
    if (item != null) {
      detach(item);
      if (path.equals(preemptor)) {
        preemptor = null;
      }
    }
  }

  private void detach(WaitingItem item) {
    WaitingGroup group = item.group();
    byLocalQueue.computeIfPresent(
        item.workload().localQueuePath(), (_, count) -> count == 1 ? null : count - 1);
    unlist(group);
    group.members.remove(item.workload());
    if (group.members.isEmpty()) {
      groups.remove(group.key);
      parked.remove(group);
    } else {
      list(group);
    }
    fresh = true;
  }

  private void unlist(WaitingGroup group) {
    if (!group.parked && !group.members.isEmpty()) {
      ready.remove(group);
    }
  }

  private void list(WaitingGroup group) {
    if (!group.parked) {
      ready.add(group);
      fresh = true;
    }
  }

  /** The next in line. */
  Optional<WaitingItem> head() {
    if (ready.isEmpty()) {
      return Optional.empty();
    }
    PendingWorkload first = (queue.sharesByUsage() ? leastUsed() : ready.first()).members.first();
    WaitingItem sticky = preemptor == null || queue.strict() ? null : items.get(preemptor);
    if (sticky == null || sticky.group().parked || isServedBefore(first, sticky.workload())) {
      return Optional.of(item(first));
    }
    return Optional.of(sticky);
  }

  /** Whether, where LocalQueues take turns, it is the turn of one rather than of the other. */
  private boolean isServedBefore(PendingWorkload one, PendingWorkload other) {
    return queue.sharesByUsage()
        && byUsage.compare(one.localQueuePath(), other.localQueuePath()) < 0;
  }

  private WaitingGroup leastUsed() {
    WaitingGroup least = ready.first();
    for (WaitingGroup group : ready) {
      if (byUsage.compare(
              group.members.first().localQueuePath(), least.members.first().localQueuePath())
          < 0) {
        least = group;
      }
    }
    return least;
  }

  private WaitingItem item(PendingWorkload workload) {
    WaitingItem item = items.get(workload.path());
    if (item == null) {
      throw new IllegalStateException(workload.path() + " is in a group but not in the line");
    }
    return item;
  }

  /** Puts a workload aside, with all who ask for the same, until there is more room. */
  void park(WaitingItem item) {
    item.wasTold(wakes);
    park(item, room.blockers(item.workload()));
  }

  private void park(WaitingItem item, List<ParkedGroups.Blocker> blockers) {
    unlist(item.group());
    item.group().parked = true;
    parked.add(item.group(), blockers);
  }

  /** Puts a workload aside again, without a closer look, if it certainly cannot go now either. */
  boolean parkAgain(WaitingItem item) {
    if (queue.strict() || !item.knowsWhy(wakes)) {
      return false;
    }
    List<ParkedGroups.Blocker> blockers = room.blockers(item.workload());
    if (!blockers.isEmpty()) {
      park(item, blockers);
    }
    return !blockers.isEmpty();
  }

  /** Puts a workload aside, with all who ask for the same, until somebody changes the rules. */
  void parkApart(WaitingItem item) {
    unlist(item.group());
    item.group().parked = true;
    parked.addApart(item.group());
  }

  /** Brings everybody back who was put aside. */
  void wake() {
    parked.clear();
    wakes++;
    for (WaitingGroup group : groups.values()) {
      group.parked = false;
    }
    ready.addAll(groups.values());
    epoch++;
    fresh = true;
  }

  /** Brings those back whom the room there is now may help. */
  void wakeHelped() {
    for (WaitingGroup group : parked.takeHelped(room)) {
      group.parked = false;
      ready.add(group);
    }
    epoch++;
    fresh = true;
  }

  /** Changes whenever what was found out for its workloads may have become wrong. */
  long epoch() {
    return epoch;
  }

  /** From now on this one comes first, until it leaves or another takes its place. */
  void stick(WaitingItem item) {
    preemptor = item.workload().path();
  }

  boolean isPreemptor(WaitingItem item) {
    return item.workload().path().equals(preemptor);
  }
}
