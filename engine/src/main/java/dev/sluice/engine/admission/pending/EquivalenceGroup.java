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
 * The workloads of a line that have the same shape, and so get the same answer; never empty while
 * it is listed. It stands in the line where its first member stands, so it must not be listed
 * anywhere while that one changes.
 */
public final class EquivalenceGroup implements Comparable<EquivalenceGroup> {
  final Key key;
  final long priority; // asked for whenever groups are compared, so it is kept right here
  private @Nullable PendingEntry first;
  private @Nullable Members others;
  boolean parked;
  List<InadmissibleGroups.Blocker> blockers = List.of();
  private long judgedAt = -1;
  private boolean served;
  private List<Headroom.Demand> demands = List.of();
  private @Nullable Usage usage;
  private Optional<Assignment> fit = Optional.empty();
  private @Nullable Misfit misfit;

  EquivalenceGroup(Key key) {
    this.key = key;
    this.priority = key.shape().priority();
  }

  /**
   * Where LocalQueues take turns, only workloads of the same one stand together.
   *
   * @param hash that of the others, which reach deep and are elsewhere in memory
   */
  record Key(int hash, PendingWorkload.Shape shape, String localQueue) {

    Key(PendingWorkload.Shape shape, String localQueue) {
      this(31 * shape.hashCode() + localQueue.hashCode(), shape, localQueue);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    static Key of(PendingWorkload workload, QueueSpec queue) {
      return new Key(workload.shape(), queue.sharesByUsage() ? workload.localQueue() : "");
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
      throw new IllegalStateException("nobody is left in the group of " + key);
    }
    return first;
  }

  /** Whether one stands, or would stand, before all others. */
  boolean leads(PendingEntry item) {
    return first == null || item.compareTo(first) <= 0;
  }

  void add(PendingEntry item) {
    PendingEntry before = first;
    if (before == null) {
      first = item;
      return;
    }
    boolean leads = leads(item);
    first = leads ? item : before;
    if (others == null) {
      others = new Members();
    }
    others.add(leads ? before : item);
  }

  void remove(PendingEntry item) {
    if (item == first) {
      first = others == null ? null : others.pollFirst();
    } else if (others != null) {
      others.remove(item);
    }
  }

  /** Whether all that kept it from going when it was parked still does. */
  public boolean isBlocked() {
    for (InadmissibleGroups.Blocker blocker : blockers) {
      if (blocker.amount() <= blocker.room().most(priority)) {
        return false;
      }
    }
    return !blockers.isEmpty();
  }

  /** What is judged for all of them at once holds until the rules change, which has a number. */
  boolean isJudged(long rules) {
    return judgedAt == rules;
  }

  void judge(long rules, boolean serves, List<Headroom.Demand> needs) {
    judgedAt = rules;
    served = serves;
    demands = needs;
    usage = null;
    fit = Optional.empty();
    misfit = null;
  }

  /** The flavors that all of them get who can be judged at a glance, once one has got them. */
  public Optional<Assignment> fit() {
    return fit;
  }

  public void rememberFit(Assignment found) {
    fit = Optional.of(found);
  }

  /**
   * What was found for one who did not fit, and how things stood then.
   *
   * @param needed where others would have to give way
   */
  public record Misfit(
      Assignment found, Set<FlavorResource> needed, List<Headroom.CellRoom> standings) {}

  /** What was found for one who did not fit, if things stand exactly as they did then. */
  @Nullable
  public Misfit misfit() {
    return misfit != null && standsAs(misfit.standings) ? misfit : null;
  }

  private boolean standsAs(List<Headroom.CellRoom> standings) {
    for (int i = 0; i < standings.size(); i++) {
      if (!demands.get(i).standing().equals(standings.get(i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * It is large, so it is kept only if there are others who may get the same, or if somebody gives
   * way: then it is looked at again soon.
   */
  public void rememberMisfit(Assignment found) {
    boolean evicts =
        found.mode() == AssignmentMode.PREEMPT || found.mode() == AssignmentMode.RECLAIM;
    misfit = evicts || size() > 1 ? new Misfit(found, found.needed(), standings()) : null;
  }

  private List<Headroom.CellRoom> standings() {
    var standings = new ArrayList<Headroom.CellRoom>(demands.size());
    for (Headroom.Demand demand : demands) {
      standings.add(demand.standing());
    }
    return standings;
  }

  /** Whether there is no choice for them, and nobody could give way for what does not fit. */
  public boolean isBeyondReach() {
    for (Headroom.Demand demand : demands) {
      if (!demand.fits() && !demand.isBeyondReach(priority)) {
        return false;
      }
    }
    return glance().isEmpty() && !demands.isEmpty();
  }

  /** Whether others could give way for all that does not fit, by what is known at little cost. */
  boolean isWithinReach() {
    for (Headroom.Demand demand : demands) {
      if (demand.isBeyondReach(priority)) {
        return false;
      }
    }
    return !demands.isEmpty();
  }

  /** All that each of them needs, if it has no choice. */
  public List<Headroom.Demand> demands() {
    return demands;
  }

  /** The same, as usage. */
  public Usage usage() {
    if (usage == null) {
      var amounts = new TreeMap<FlavorResource, Long>();
      demands.forEach(demand -> amounts.put(demand.of(), demand.amount()));
      usage = new Usage(amounts);
    }
    return usage;
  }

  boolean served() {
    return served;
  }

  /** How far up the tree it would borrow; empty if it does not fit now, or has a choice. */
  OptionalInt glance() {
    int level = 0;
    for (Headroom.Demand demand : demands) {
      if (!demand.fits()) {
        return OptionalInt.empty();
      }
      level = Math.max(level, demand.level());
    }
    return demands.isEmpty() ? OptionalInt.empty() : OptionalInt.of(level);
  }

  /** Which of two stands before the other. */
  static @Nullable EquivalenceGroup earlier(
      @Nullable EquivalenceGroup one, @Nullable EquivalenceGroup other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.compareTo(other) <= 0 ? one : other;
  }

  @Override
  public int compareTo(EquivalenceGroup other) {
    return this == other ? 0 : first().compareTo(other.first());
  }
}
