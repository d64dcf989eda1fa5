package dev.sluice.engine.admission.cycle;

/**
 * The rule that reclaimers come before borrowers: once a queue that reclaims what it lent has got
 * some of its own quota in a cycle, entries that would borrow are deferred to the next cycle. The
 * next workload of the reclaiming queue may need what they would get, and they would be preempted
 * as soon as they are admitted.
 */
public final class ReclaimersFirst {
  private boolean reclaimed;

  /** An entry of the cycle was admitted. */
  public void admitted(CycleEntry entry) {
    reclaimed |= entry.reclaimsOwnQuota();
  }

  /** Whether an entry is deferred, given whether it borrows. */
  public boolean defers(boolean borrows) {
    return reclaimed && borrows;
  }
}
