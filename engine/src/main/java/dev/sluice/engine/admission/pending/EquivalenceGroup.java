package dev.sluice.engine.admission.pending;

import dev.sluice.engine.flavor.Assignment;
import dev.sluice.engine.flavor.AssignmentMode;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The workloads of a queue that have the same equivalence key, and so get the same answer; never
 * empty while it is listed. Its position in the queue is that of its first entry, so it must not be
 * listed anywhere while that one changes.
 */
public final class EquivalenceGroup implements Comparable<EquivalenceGroup> {
  final Key key;
  final long priority; // asked for whenever groups are compared, so it is kept right here
  private @Nullable PendingEntry first;
  private @Nullable Members others;
  boolean inadmissible;
  List<InadmissibleGroups.Blocker> blockers = List.of();
  private long evaluatedAt = -1;
  private boolean namespaceMatches;
  private List<Headroom.Demand> demands = List.of();
  private @Nullable Usage usage;
  private Optional<Assignment> fit = Optional.empty();
  private @Nullable RememberedNoFit noFit;

  EquivalenceGroup(Key key) {
    this.key = key;
    this.priority = key.workload().priority();
  }

  /**
   * What is equal in a group. Where LocalQueues take turns, a group has workloads of one only.
   *
   * @param hash that of the others, which reach deep and are elsewhere in memory
   */
  record Key(int hash, PendingWorkload.EquivalenceKey workload, String localQueue) {

    Key(PendingWorkload.EquivalenceKey workload, String localQueue) {
      this(31 * workload.hashCode() + localQueue.hashCode(), workload, localQueue);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    static Key of(PendingWorkload workload, QueueSpec queue) {
      return new Key(workload.equivalenceKey(), queue.sharesByUsage() ? workload.localQueue() : "");
    }
  }

  int size() {
    return (first == null ? 0 : 1) + (others == null ? 0 : others.size());
  }

  boolean isEmpty() {
    return first == null;
  }

  void forEach(Consumer<PendingEntry> visitor) {
    if (first != null) {
      visitor.accept(first);
    }
    if (others != null) {
      others.forEach(visitor);
    }
  }

  PendingEntry first() {
    if (first == null) {
      throw new IllegalStateException("no workload is left in the group of " + key);
    }
    return first;
  }

  /** Whether an entry is, or would be, the first of the group. */
  boolean leads(PendingEntry entry) {
    return first == null || entry.compareTo(first) <= 0;
  }

  void add(PendingEntry entry) {
    PendingEntry before = first;
    if (before == null) {
      first = entry;
      return;
    }
    boolean leads = leads(entry);
    first = leads ? entry : before;
    if (others == null) {
      others = new Members();
    }
    others.add(leads ? before : entry);
  }

  void remove(PendingEntry entry) {
    if (entry == first) {
      first = others == null ? null : others.pollFirst();
    } else if (others != null) {
      others.remove(entry);
    }
  }

  /** Whether all that blocked it when it became inadmissible still does. */
  public boolean isBlocked() {
    for (InadmissibleGroups.Blocker blocker : blockers) {
      if (blocker.amount() <= blocker.room().most(priority)) {
        return false;
      }
    }
    return !blockers.isEmpty();
  }

  /** Whether it was evaluated, for all its entries at once, since the rules changed. */
  boolean isEvaluated(long rulesVersion) {
    return evaluatedAt == rulesVersion;
  }

  void evaluate(long rulesVersion, boolean matches, List<Headroom.Demand> needs) {
    evaluatedAt = rulesVersion;
    namespaceMatches = matches;
    demands = needs;
    usage = null;
    fit = Optional.empty();
    noFit = null;
  }

  /** The flavors of an entry that fit without a choice: all others get the same. */
  public Optional<Assignment> fit() {
    return fit;
  }

  public void rememberFit(Assignment found) {
    fit = Optional.of(found);
  }

  /**
   * What was found for an entry that did not fit, and how quota stood then.
   *
   * @param needed where preemption would be needed
   */
  public record RememberedNoFit(
      Assignment found, Set<FlavorResource> needed, List<Headroom.CellRoom> rooms) {}

  /** What was found for an entry that did not fit, if quota stands exactly as it did then. */
  @Nullable
  public RememberedNoFit noFit() {
    return noFit != null && isUnchanged(noFit.rooms) ? noFit : null;
  }

  private boolean isUnchanged(List<Headroom.CellRoom> standings) {
    for (int i = 0; i < standings.size(); i++) {
      if (!demands.get(i).room().equals(standings.get(i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Remembers what was found for an entry that does not fit. That is large, so it is kept only if
   * other entries may get the same, or if there are victims: then the entry is tried again soon.
   */
  public void rememberNoFit(Assignment found) {
    boolean preempts =
        found.mode() == AssignmentMode.PREEMPT || found.mode() == AssignmentMode.RECLAIM;
    noFit = preempts || size() > 1 ? new RememberedNoFit(found, found.needed(), rooms()) : null;
  }

  private List<Headroom.CellRoom> rooms() {
    var standings = new ArrayList<Headroom.CellRoom>(demands.size());
    for (Headroom.Demand demand : demands) {
      standings.add(demand.room());
    }
    return standings;
  }

  /** Whether there is no choice of flavors, and no preemption could help what does not fit. */
  public boolean exceedsUpperBound() {
    for (Headroom.Demand demand : demands) {
      if (!demand.fits() && !demand.exceedsUpperBound(priority)) {
        return false;
      }
    }
    return fitLevel().isEmpty() && !demands.isEmpty();
  }

  /** Whether preemption may help all that does not fit, by what is known at little cost. */
  boolean isWithinUpperBound() {
    for (Headroom.Demand demand : demands) {
      if (demand.exceedsUpperBound(priority)) {
        return false;
      }
    }
    return !demands.isEmpty();
  }

  /** All that each of its workloads needs, if there is no choice of flavors. */
  public List<Headroom.Demand> demands() {
    return demands;
  }

  /** The same, as usage. */
  public Usage usage() {
    if (usage == null) {
      var amounts = new TreeMap<FlavorResource, Long>();
      demands.forEach(demand -> amounts.put(demand.flavorResource(), demand.amount()));
      usage = new Usage(amounts);
    }
    return usage;
  }

  boolean namespaceMatches() {
    return namespaceMatches;
  }

  /** How far up the cohort tree it would borrow; empty if it does not fit now, or has a choice. */
  OptionalInt fitLevel() {
    int level = 0;
    for (Headroom.Demand demand : demands) {
      if (!demand.fits()) {
        return OptionalInt.empty();
      }
      level = Math.max(level, demand.level());
    }
    return demands.isEmpty() ? OptionalInt.empty() : OptionalInt.of(level);
  }

  /** The first of two groups in the order of the queue. */
  static @Nullable EquivalenceGroup earlier(
      @Nullable EquivalenceGroup left, @Nullable EquivalenceGroup right) {
    if (left == null || right == null) {
      return left == null ? right : left;
    }
    return left.compareTo(right) <= 0 ? left : right;
  }

  @Override
  public int compareTo(EquivalenceGroup other) {
    return this == other ? 0 : first().compareTo(other.first());
  }
}
