package dev.sluice.engine.admission.cycle;

import dev.sluice.engine.admission.pending.Headroom;
import dev.sluice.engine.admission.pending.PendingEntry;
import dev.sluice.engine.admission.pending.PendingQueue;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.Usage;

/** The head of a line that takes part in a round, with what is known of it. */
public sealed interface CycleEntry permits Nomination, CycleEntry.Prechecked {

  PendingQueue line();

  PendingEntry item();

  /** How far up the tree it borrows. */
  int level();

  /** What it takes. */
  Usage usage();

  /** Whether it asks for quota of its own queue, which takes back what it lent. */
  default boolean isOwner() {
    return level() == 0 && line().queue().reclaimsFromAll();
  }

  /** Whether it fits, but only into what others lend. */
  boolean borrowsAtOnce();

  default QuotaNode node() {
    return line().node();
  }

  default boolean isPreemptor() {
    return line().isPreemptor(item());
  }

  /**
   * One that fit when the round began, and has no choice of flavors. Nothing else needs to be found
   * out before its turn comes, and mostly it comes too late.
   */
  record Prechecked(PendingQueue line, PendingEntry item, int level) implements CycleEntry {
    @Override
    public Usage usage() {
      return item.group().usage();
    }

    @Override
    public boolean borrowsAtOnce() {
      return level > 0;
    }

    /** Counts as used what it takes, to try what that leaves. */
    public void take() {
      item.group().demands().forEach(Headroom.Demand::take);
    }

    public void giveBack() {
      item.group().demands().forEach(Headroom.Demand::giveBack);
    }
  }
}
