package dev.sluice.engine.admission.precheck;

import dev.sluice.engine.admission.cycle.CycleEntry;
import dev.sluice.engine.admission.cycle.Nomination;
import dev.sluice.engine.admission.cycle.Reserves;
import dev.sluice.engine.admission.cycle.Turn;
import dev.sluice.engine.admission.pending.Headroom;
import dev.sluice.engine.admission.pending.PendingEntry;
import dev.sluice.engine.admission.pending.PendingQueue;
import dev.sluice.engine.quota.Usage;
import java.util.OptionalInt;

/**
 * An entry that fit when the cycle began, and has no choice of flavors. It needs no nomination
 * before its turn comes, and mostly it comes too late.
 */
record PrecheckedEntry(
    PendingQueue queue, PendingEntry entry, int level, RememberedNominations nominations)
    implements CycleEntry {

  @Override
  public Usage usage() {
    return entry.group().usage();
  }

  @Override
  public boolean borrowsAtOnce() {
    return level > 0;
  }

  /**
   * Nominates it as it was when the cycle began, apart from what others got since: reserves count
   * only when it is admitted.
   */
  @Override
  public Turn turn(Reserves reserves) {
    OptionalInt fits = queue.fitLevel(entry);
    if (fits.isPresent()) { // even beside all reserves
      return nominate(fits.getAsInt());
    }
    reserves.lift();
    Turn turn = turnWithoutReserves();
    reserves.restore();
    return turn;
  }

  private Turn turnWithoutReserves() {
    OptionalInt fits = queue.fitLevel(entry);
    if (fits.isPresent()) {
      return nominate(fits.getAsInt());
    }
    if (queue.recheckInadmissible(entry)) {
      return Turn.NotNominated.STILL_INADMISSIBLE;
    }
    queue.requeue(entry);
    return Turn.NotNominated.NO_LONGER_FITS;
  }

  private Nomination nominate(int levelNow) {
    return nominations.nominateFitting(queue, entry, levelNow).takePart();
  }

  /** Counts as used what it takes, to try what that leaves. */
  void addUsage() {
    entry.group().demands().forEach(Headroom.Demand::addUsage);
  }

  void removeUsage() {
    entry.group().demands().forEach(Headroom.Demand::removeUsage);
  }
}
