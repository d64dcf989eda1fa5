package dev.sluice.engine.admission.pending;

import dev.sluice.engine.admission.cycle.Nomination;
import dev.sluice.engine.flavor.FlavorCursor;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.PendingWorkload;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A place in the line, with what the last look found out. */
public final class PendingEntry implements Comparable<PendingEntry> {
  private final PendingWorkload workload;
  private final String path;
  private final long priority;
  private final long seconds;
  private EquivalenceGroup group;
  private @Nullable Nomination nomination;
  private FlavorCursor progress = FlavorCursor.NONE;
  private long progressEpoch;
  private int resumed;
  private long startedAgainAt = -1;
  private int startedAgain;
  private long toldAt = -1;
  private boolean claims;

  PendingEntry(PendingWorkload workload, EquivalenceGroup group) {
    this.workload = workload;
    this.path = workload.path();
    this.priority = workload.priority();
    this.seconds = workload.since().getEpochSecond();
    this.group = group;
  }

  public PendingWorkload workload() {
    return workload;
  }

  public String path() {
    return path;
  }

  long priority() {
    return priority;
  }

  /** Since when it waits, in whole seconds. */
  long seconds() {
    return seconds;
  }

  public EquivalenceGroup group() {
    return group;
  }

  public boolean isParked() {
    return group.parked;
  }

  /** It stands with others from now on, as the rules for who does have changed. */
  void join(EquivalenceGroup other) {
    group = other;
  }

  /** What was found the last time, if it still holds. */
  public Optional<Nomination> nomination(long epoch) {
    return nomination != null && nomination.epoch() == epoch
        ? Optional.of(nomination)
        : Optional.empty();
  }

  /** Who was found to have to give way for it, the last time. */
  public List<Target> targets() {
    return nomination == null ? List.of() : nomination.targets();
  }

  public void remember(Nomination found) {
    nomination = found;
  }

  public void forget() {
    nomination = null;
  }

  /** It was told why it waits; that holds until everybody is looked at anew. */
  void wasTold(long wakes) {
    toldAt = wakes;
  }

  boolean knowsWhy(long wakes) {
    return toldAt == wakes;
  }

  /** Whether it keeps quota from others while it stays in front. */
  public boolean claims() {
    return claims;
  }

  public void setClaims(boolean keepsQuota) {
    claims = keepsQuota;
  }

  /** How far the flavors have been looked through, if that still counts. */
  public FlavorCursor progress(long epoch) {
    return progressEpoch == epoch ? progress : FlavorCursor.NONE;
  }

  /** Whether it may look through all flavors once more; once as long as nothing changes. */
  public boolean startAgain(long moment) {
    startedAgain = startedAgainAt == moment ? startedAgain + 1 : 1;
    startedAgainAt = moment;
    return startedAgain == 1;
  }

  /** Whether it has looked through all flavors twice; a third time it would find the same. */
  public boolean hasLookedTwice(long moment) {
    return startedAgainAt == moment && startedAgain > 1;
  }

  /** How often the search for flavors went on since it began. */
  public int resumed(long epoch) {
    return progressEpoch == epoch ? resumed : 0;
  }

  public void continueFrom(FlavorCursor reached, long epoch) {
    resumed = reached.unfinished() ? resumed(epoch) + 1 : 0;
    progress = reached;
    progressEpoch = epoch;
  }

  /**
   * The order of the workloads. Mostly what is kept right here decides, which matters: items are
   * compared more often than anything else happens, and the workloads are elsewhere in memory.
   */
  @Override
  public int compareTo(PendingEntry other) {
    if (priority != other.priority) {
      return Long.compare(other.priority, priority);
    }
    if (seconds != other.seconds) {
      return Long.compare(seconds, other.seconds);
    }
    return workload.compareTo(other.workload);
  }
}
