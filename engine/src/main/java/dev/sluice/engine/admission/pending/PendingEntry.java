package dev.sluice.engine.admission.pending;

import dev.sluice.engine.flavor.FlavorCursor;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.PendingWorkload;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A workload in a pending queue, with what admission cycles keep of it. */
public final class PendingEntry implements Comparable<PendingEntry> {
  private final PendingWorkload workload;
  private final String path;
  private final long priority;
  private final long seconds;
  private EquivalenceGroup group;
  private @Nullable LastNomination nomination;
  private FlavorCursor cursor = FlavorCursor.NONE;
  private long cursorEpoch;
  private int resumes;
  private long restartedAt = -1;
  private int restarts;
  private long triedAt = -1;
  private boolean reserves;

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

  public long priority() {
    return priority;
  }

  /** Since when it is pending, in whole seconds. */
  public long seconds() {
    return seconds;
  }

  /** The workloads of its queue that get the same answer. */
  public EquivalenceGroup group() {
    return group;
  }

  public boolean isInadmissible() {
    return group.inadmissible;
  }

  /** It belongs to another group from now on, as what counts as equivalent has changed. */
  void moveTo(EquivalenceGroup other) {
    group = other;
  }

  /** What the last cycle found, if the queue still has the same epoch. */
  public Optional<LastNomination> lastNomination(long epoch) {
    return nomination != null && nomination.epoch() == epoch
        ? Optional.of(nomination)
        : Optional.empty();
  }

  /** The victims that the last cycle found for it. */
  public List<Target> targets() {
    return nomination == null ? List.of() : nomination.targets();
  }

  public void remember(LastNomination found) {
    nomination = found;
  }

  public void forget() {
    nomination = null;
  }

  /** It was tried under these rules of its queue, and its condition says why it is pending. */
  void markTried(long rulesVersion) {
    triedAt = rulesVersion;
  }

  boolean wasTried(long rulesVersion) {
    return triedAt == rulesVersion;
  }

  /** Whether it reserves quota in every cycle while it stays the head. */
  public boolean reserves() {
    return reserves;
  }

  public void setReserves(boolean keepsQuota) {
    reserves = keepsQuota;
  }

  /** Where its search for flavors goes on, if the queue still has the same epoch. */
  public FlavorCursor cursor(long epoch) {
    return cursorEpoch == epoch ? cursor : FlavorCursor.NONE;
  }

  /**
   * Starts its search for flavors again; returns whether that is the first time in a situation.
   *
   * @param situation a number that changes when there may be more for it
   */
  public boolean restartSearch(long situation) {
    restarts = restartedAt == situation ? restarts + 1 : 1;
    restartedAt = situation;
    return restarts == 1;
  }

  /** Whether it has searched all flavors twice; a third time it would find the same. */
  public boolean hasSearchedTwice(long situation) {
    return restartedAt == situation && restarts > 1;
  }

  /** How often the search for flavors went on since it began. */
  public int resumes(long epoch) {
    return cursorEpoch == epoch ? resumes : 0;
  }

  public void resumeFrom(FlavorCursor reached, long epoch) {
    resumes = reached.unfinished() ? resumes(epoch) + 1 : 0;
    cursor = reached;
    cursorEpoch = epoch;
  }

  @Override
  public int compareTo(PendingEntry other) {
    return QueueOrder.compare(priority, seconds, this, other.priority, other.seconds, other);
  }
}
