package dev.sluice.engine.admission.pending;

import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.quota.QuotaNode;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
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
public final class PendingQueue {
  private final Comparator<String> byUsage;
  private final ServedNamespaces served;
  private QueueSpec queue;
  private Headroom room;
  private final PendingIndex roster = new PendingIndex();
  private final GroupPositions places = new GroupPositions();
  private @Nullable PendingEntry preemptor;
  private boolean foreseeable;
  private boolean preempts;
  private boolean open;
  private boolean fresh;
  private long epoch;
  private long wakes;

  public PendingQueue(
      QueueSpec queue,
      Headroom room,
      boolean open,
      NamespaceMatcher serving,
      Comparator<String> byUsage) {
    this.queue = queue;
    this.room = room;
    this.open = open;
    this.served = new ServedNamespaces(serving);
    this.byUsage = byUsage;
    this.foreseeable = QueuePrecheck.suffices(queue);
    this.preempts = queue.preempts();
  }

  public QueueSpec queue() {
    return queue;
  }

  /** Where its usage is counted. */
  public QuotaNode node() {
    return room.node();
  }

  /** Follows a change of the queue's rules; all are looked at anew. */
  public void redefine(QueueSpec changed, Headroom changedRoom, boolean nowOpen) {
    boolean regroup = changed.sharesByUsage() != queue.sharesByUsage();
    queue = changed;
    foreseeable = QueuePrecheck.suffices(changed);
    preempts = changed.preempts();
    room = changedRoom;
    open = nowOpen;
    if (regroup) {
      roster.items().forEach(this::regroup);
    }
    wake();
  }

  private void regroup(PendingEntry item) {
    detach(item);
    item.join(roster.group(EquivalenceGroup.Key.of(item.workload(), queue)));
    attach(item);
  }

  /** How many are parked. */
  public int parked() {
    return roster.size() - places.ready();
  }

  /** All who wait, and some others, in order. */
  public List<PendingWorkload> inOrder(Collection<PendingWorkload> others) {
    Comparator<PendingWorkload> order = Comparator.naturalOrder();
    return roster.inOrder(
        others,
        queue.sharesByUsage()
            ? Comparator.comparing(PendingWorkload::localQueuePath, byUsage).thenComparing(order)
            : order);
  }

  /** Everybody who waits, for others to read. */
  public PendingIndex roster() {
    return roster;
  }

  /** Whether everybody stands where they should. */
  public boolean isSound() {
    return roster.isComplete()
        && roster.groups().stream().allMatch(one -> one.parked != places.isReady(one));
  }

  /** Whether there may be a head; only {@link #head} knows. */
  public boolean mayHaveHead() {
    return open && places.mayHaveFirst();
  }

  /**
   * What is known of it at little cost, if only more quota can bring somebody forward. Null if it
   * takes a closer look.
   */
  @Nullable
  public QueuePrecheck outlook() {
    return foreseeable && preemptor == null && places.isCalled() ? places.outlook(this) : null;
  }

  /** Whether there is a head that nobody has looked at since something changed. */
  public boolean isFresh() {
    return fresh && mayHaveHead();
  }

  /** The head was looked at and stays; it need not be looked at before something changes. */
  public void settle() {
    fresh = false;
  }

  /** Nobody of those who were put aside can go before quota comes back. */
  public void rest() {
    places.dismiss();
  }

  /** The head should be looked at again. */
  public void refresh() {
    fresh = true;
  }

  /** Others got something. The head looks again, unless only more quota can help its line. */
  public void refreshAfterOthers() {
    fresh |= !foreseeable || preempts;
  }

  /** Adds a workload. */
  public PendingEntry add(PendingWorkload workload) {
    PendingEntry item = roster.item(EquivalenceGroup.Key.of(workload, queue), workload);
    attach(item);
    fresh |= !item.isParked();
    return item;
  }

  /** The same workload asks for something else; it stays the preemptor if it is. */
  public PendingEntry replace(PendingEntry known, PendingWorkload workload) {
    detach(known);
    PendingEntry item = add(workload);
    preemptor = known == preemptor ? item : preemptor;
    return item;
  }

  public void remove(PendingEntry item) {
    detach(item);
    preemptor = item == preemptor ? null : preemptor;
  }

  private void attach(PendingEntry item) {
    places.change(item, item.group()::add);
    roster.count(item);
  }

  private void detach(PendingEntry item) {
    places.change(item, item.group()::remove);
    roster.forget(item);
    fresh = true;
  }

  /**
   * The next in line. It may belong to a group that is parked, if there is room for it now; who
   * looks further than at a glance {@linkplain #bringBack brings it back}.
   */
  public Optional<PendingEntry> head() {
    EquivalenceGroup first =
        queue.sharesByUsage() ? places.firstReady(this::compareUsage) : places.first();
    if (first == null) {
      return Optional.empty();
    }
    PendingEntry sticky = queue.strict() ? null : preemptor;
    if (sticky == null
        || sticky.group().parked
        || (queue.sharesByUsage() && compareUsage(first, sticky.group()) < 0)) {
      return Optional.of(first.first());
    }
    return Optional.of(sticky);
  }

  /** Whose turn it is, where LocalQueues take turns. */
  private int compareUsage(EquivalenceGroup one, EquivalenceGroup other) {
    return byUsage.compare(
        one.first().workload().localQueuePath(), other.first().workload().localQueuePath());
  }

  /** Whether the queue serves a workload; if not, only other rules can help it. */
  public boolean serves(PendingEntry item) {
    return judged(item).served();
  }

  /**
   * How far up the tree a workload would borrow that fits now and has no choice of flavors; empty
   * if it takes a closer look to say.
   */
  public OptionalInt glance(PendingEntry item) {
    return judged(item).glance();
  }

  private EquivalenceGroup judged(PendingEntry item) {
    EquivalenceGroup group = item.group();
    if (!group.isJudged(wakes)) {
      boolean serves = served.serves(queue, item.workload());
      group.judge(wakes, serves, room.demands(item.workload()));
    }
    return group;
  }

  /** Puts a workload aside, with all who ask for the same, until there is more room. */
  public void park(PendingEntry item) {
    item.wasTold(wakes);
    item.setClaims(false);
    item.forget(); // many may be parked, and what was found for them is large
    places.park(item.group(), room.blockers(item.workload()));
  }

  /**
   * Puts a workload aside again, without a closer look, if it certainly cannot go now either and
   * knows why.
   */
  public boolean parkAgain(PendingEntry item) {
    if (queue.strict() || !item.knowsWhy(wakes)) {
      return false;
    }
    if (item.group().isBlocked()) {
      return true;
    }
    List<InadmissibleGroups.Blocker> blockers =
        judged(item).isWithinReach() ? List.of() : room.blockers(item.workload());
    if (!blockers.isEmpty()) {
      places.park(item.group(), blockers);
    }
    return !blockers.isEmpty();
  }

  /** Puts a workload aside, with all who ask for the same, until somebody changes the rules. */
  public void parkApart(PendingEntry item) {
    places.parkApart(item.group());
  }

  /** Takes a workload, with all who ask for the same, back into the line. */
  public void bringBack(PendingEntry item) {
    places.bringBack(item.group());
  }

  /** Brings everybody back who was put aside. */
  public void wake() {
    places.bringBackAll(roster.groups());
    served.forget();
    wakes++;
    epoch++;
    fresh = true;
  }

  /**
   * Calls those whom the room there is now may help.
   *
   * @param all whether all of them come back at once
   */
  void wakeHelped(boolean all) {
    if (all || (!foreseeable && queue.sharesByUsage())) {
      places.bringBackHelped();
    } else {
      places.call();
    }
    if (preemptor != null && !preemptor.group().blockers.isEmpty()) {
      bringBack(preemptor);
    }
    epoch++;
    fresh = true;
  }

  /** Changes whenever what was found out for its workloads may have become wrong. */
  public long epoch() {
    return epoch;
  }

  /** From now on this one comes first, until it leaves or another takes its place. */
  public void stick(PendingEntry item) {
    preemptor = item;
  }

  public boolean isPreemptor(PendingEntry item) {
    return item == preemptor;
  }
}
