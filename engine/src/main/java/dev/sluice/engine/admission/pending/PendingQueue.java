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
 * The pending workloads of one ClusterQueue.
 *
 * <p>Goal: find the head, mark workloads inadmissible and requeue them, at a cost that does not
 * grow with the length of the queue. Method: workloads with the same {@linkplain
 * PendingWorkload#equivalenceKey equivalence key} get the same answer, so they form a group that
 * becomes inadmissible and is requeued as a whole. The head is the first of all groups that are
 * not.
 *
 * <p>Threads: one owner.
 */
public final class PendingQueue {
  private final Comparator<String> byUsage;
  private final GroupEvaluator evaluator;
  private QueueSpec spec;
  private final PendingIndex index = new PendingIndex();
  private final GroupPositions positions = new GroupPositions();
  private @Nullable PendingEntry preemptor;
  private boolean precheckable;
  private boolean preempts;
  private boolean admits;
  private boolean headUntried;
  private long epoch;

  public PendingQueue(
      QueueSpec spec,
      Headroom headroom,
      boolean admits,
      NamespaceMatcher namespaces,
      Comparator<String> byUsage) {
    this.spec = spec;
    this.evaluator = new GroupEvaluator(spec, headroom, namespaces);
    this.admits = admits;
    this.byUsage = byUsage;
    this.precheckable = QueuePrecheck.isPossible(spec);
    this.preempts = spec.preempts();
  }

  public QueueSpec spec() {
    return spec;
  }

  /** Where its usage is counted. */
  public QuotaNode node() {
    return evaluator.node();
  }

  /** Follows a change of the ClusterQueue; all workloads are requeued. */
  public void redefine(QueueSpec changed, Headroom headroom, boolean admitsNow) {
    boolean regroup = changed.sharesByUsage() != spec.sharesByUsage();
    spec = changed;
    evaluator.redefine(changed, headroom);
    precheckable = QueuePrecheck.isPossible(changed);
    preempts = changed.preempts();
    admits = admitsNow;
    if (regroup) {
      index.entries().forEach(this::regroup);
    }
    requeueAll();
  }

  private void regroup(PendingEntry entry) {
    detach(entry);
    entry.moveTo(index.group(EquivalenceGroup.Key.of(entry.workload(), spec)));
    attach(entry);
  }

  /** How many workloads are pending, and how many of them are inadmissible. */
  public QueueLength length() {
    return new QueueLength(index.size(), index.size() - positions.ready());
  }

  /** All pending workloads, and some others, in order. */
  public List<PendingWorkload> inOrder(Collection<PendingWorkload> others) {
    Comparator<PendingWorkload> order = Comparator.naturalOrder();
    var turns = Comparator.comparing(PendingWorkload::localQueuePath, byUsage).thenComparing(order);
    return index.inOrder(others, spec.sharesByUsage() ? turns : order);
  }

  /** All pending workloads, for others to read. */
  public PendingIndex index() {
    return index;
  }

  /** Whether every group is where it should be. */
  public boolean isConsistent() {
    return index.isComplete()
        && index.groups().stream()
            .allMatch(group -> group.inadmissible != positions.isReady(group));
  }

  /** Whether there may be a head; only {@link #head} knows. */
  public boolean mayHaveHead() {
    return admits && positions.mayHaveFirst();
  }

  /**
   * What is known of the queue at little cost, if only more quota can bring a head forward. Null if
   * the head must be looked up.
   */
  @Nullable
  public QueuePrecheck precheck() {
    return precheckable && preemptor == null && positions.isReconsidering()
        ? positions.precheck(this)
        : null;
  }

  /** Whether there is a head that was not tried since something changed. */
  public boolean hasUntriedHead() {
    return headUntried && mayHaveHead();
  }

  /** The head was tried and stays; it need not be tried again before something changes. */
  public void headTried() {
    headUntried = false;
  }

  /** No inadmissible workload fits before quota comes back. */
  public void stopReconsidering() {
    positions.stopReconsidering();
  }

  /** The head should be tried again. */
  public void retryHead() {
    headUntried = true;
  }

  /** Others got quota. The head is tried again, unless only more quota can help it. */
  public void retryHeadAfterOthers() {
    headUntried |= !precheckable || preempts;
  }

  /** Adds a workload. */
  public PendingEntry add(PendingWorkload workload) {
    PendingEntry entry = index.newEntry(EquivalenceGroup.Key.of(workload, spec), workload);
    attach(entry);
    headUntried |= !entry.isInadmissible();
    return entry;
  }

  /** The same workload asks for something else; it stays the preemptor if it is. */
  public PendingEntry replace(PendingEntry known, PendingWorkload workload) {
    detach(known);
    PendingEntry entry = add(workload);
    preemptor = known == preemptor ? entry : preemptor;
    return entry;
  }

  public void remove(PendingEntry entry) {
    detach(entry);
    preemptor = entry == preemptor ? null : preemptor;
  }

  private void attach(PendingEntry entry) {
    positions.change(entry, entry.group()::add);
    index.count(entry);
  }

  private void detach(PendingEntry entry) {
    positions.change(entry, entry.group()::remove);
    index.forget(entry);
    headUntried = true;
  }

  /**
   * The workload to try next. It may belong to a group that is still inadmissible, if there is
   * enough quota for it now; an entry that takes part in a cycle is {@linkplain #requeue requeued}.
   */
  public Optional<PendingEntry> head() {
    EquivalenceGroup first =
        spec.sharesByUsage() ? positions.firstReady(this::compareUsage) : positions.first();
    if (first == null) {
      return Optional.empty();
    }
    PendingEntry sticky = spec.strict() ? null : preemptor;
    if (sticky == null
        || sticky.group().inadmissible
        || (spec.sharesByUsage() && compareUsage(first, sticky.group()) < 0)) {
      return Optional.of(first.first());
    }
    return Optional.of(sticky);
  }

  /** The order of groups where LocalQueues take turns by usage. */
  private int compareUsage(EquivalenceGroup left, EquivalenceGroup right) {
    return byUsage.compare(
        left.first().workload().localQueuePath(), right.first().workload().localQueuePath());
  }

  /** Whether the namespace selector matches; if not, only a change of rules can help a workload. */
  public boolean matchesNamespace(PendingEntry entry) {
    return evaluator.evaluated(entry).namespaceMatches();
  }

  /**
   * How far up the cohort tree a workload would borrow that fits now and has no choice of flavors;
   * empty if only a nomination can say.
   */
  public OptionalInt fitLevel(PendingEntry entry) {
    return evaluator.evaluated(entry).fitLevel();
  }

  /** Marks a workload inadmissible, with all of its group, until quota comes back. */
  public void markInadmissible(PendingEntry entry) {
    evaluator.markTried(entry);
    entry.setReserves(false);
    entry.forget(); // many may be inadmissible, and what was found for them is large
    positions.markInadmissible(entry.group(), evaluator.blockers(entry));
  }

  /**
   * Marks a workload inadmissible again, with all of its group, if it was tried before and one of
   * its requests still exceeds all that it could get, also by preemption. Returns whether that is
   * so; a strict queue waits for its head, whatever it asks for.
   */
  public boolean markInadmissibleAgain(PendingEntry entry) {
    if (spec.strict() || !evaluator.wasTried(entry)) {
      return false;
    }
    List<InadmissibleGroups.Blocker> blockers = evaluator.blockers(entry);
    if (!blockers.isEmpty()) {
      positions.markInadmissible(entry.group(), blockers);
    }
    return !blockers.isEmpty();
  }

  /** The same as {@link #markInadmissibleAgain}, by what is remembered of the group. */
  public boolean recheckInadmissible(PendingEntry entry) {
    return !spec.strict()
        && evaluator.wasTried(entry)
        && (entry.group().isBlocked()
            || (!evaluator.evaluated(entry).isWithinUpperBound() && markInadmissibleAgain(entry)));
  }

  /** Marks a workload inadmissible, with all of its group, until the rules change. */
  public void exclude(PendingEntry entry) {
    positions.exclude(entry.group());
  }

  /** Requeues a workload, with all of its group. */
  public void requeue(PendingEntry entry) {
    positions.requeue(entry.group());
  }

  /** Requeues all workloads as if none of them had been tried: the rules have changed. */
  public void requeueAll() {
    positions.requeueAll(index.groups());
    evaluator.forget();
    changed();
  }

  private void changed() {
    epoch++;
    headUntried = true;
  }

  /** Requeues all workloads that more quota may help: some came back. */
  public void requeueInadmissible() {
    positions.requeueInadmissible(index.groups());
    changed();
  }

  /** The same, but each of them only when it is the first for which there is enough quota. */
  public void reconsiderInadmissible() {
    if (!precheckable && spec.sharesByUsage()) {
      positions.requeueUnblocked();
    } else {
      positions.reconsider();
    }
    if (preemptor != null && !preemptor.group().blockers.isEmpty()) {
      requeue(preemptor);
    }
    changed();
  }

  /** Changes whenever what was found for its workloads may have become wrong. */
  public long epoch() {
    return epoch;
  }

  /** From now on this entry is the head, until it leaves or another preemptor takes its place. */
  public void setPreemptor(PendingEntry entry) {
    preemptor = entry;
  }

  public boolean isPreemptor(PendingEntry entry) {
    return entry == preemptor;
  }
}
