package dev.sluice.engine.preemption;

import dev.sluice.engine.queue.Holders;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.engine.quota.QuotaNode;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** A ClusterQueue that may borrow, with its first candidate as of the last {@link #look}. */
final class Borrower {
  private final CohortPath branch;
  private final Holders holders;
  private @Nullable QuotaReservation first;
  private @Nullable QuotaNode shelter;

  Borrower(CohortPath branch, Holders holders) {
    this.branch = branch;
    this.holders = holders;
  }

  /** Reads the usage and the first candidate from the ledger again. */
  void look() {
    first = branch.borrows() ? holders.first().orElse(null) : null;
    shelter = first == null ? null : branch.shelter();
  }

  CohortPath branch() {
    return branch;
  }

  /** The first candidate for preemption; null if the queue does not borrow. */
  @Nullable QuotaReservation first() {
    return first;
  }

  /** The {@linkplain CohortPath#shelter shelter} of the queue's path. */
  @Nullable QuotaNode shelter() {
    return shelter;
  }

  /** All reservations in the queue; valid until one of them changes. */
  Iterator<QuotaReservation> inOrder() {
    return holders.inOrder().iterator();
  }

  /** Orders borrowers by their first candidates; queues that do not borrow come last. */
  static int byFirst(Borrower one, Borrower other) {
    if (one.first == null || other.first == null) {
      return Boolean.compare(one.first == null, other.first == null);
    }
    return QuotaReservation.inPreemptionOrder(one.first, other.first);
  }
}
