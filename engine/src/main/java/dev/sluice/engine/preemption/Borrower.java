package dev.sluice.engine.preemption;

import dev.sluice.engine.queue.Holders;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.engine.quota.QuotaNode;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** A queue that may use more than its quota, as it was when it was looked at last. */
final class Borrower {
  private final CohortPath branch;
  private final Holders holders;
  private @Nullable QuotaReservation first;
  private @Nullable QuotaNode shelter;

  Borrower(CohortPath branch, Holders holders) {
    this.branch = branch;
    this.holders = holders;
  }

  /** Notes how things stand. */
  void look() {
    first = branch.borrows() ? holders.first().orElse(null) : null;
    shelter = first == null ? null : branch.shelter();
  }

  CohortPath branch() {
    return branch;
  }

  /** Who gives way first; null if the queue does not use more than its quota. */
  @Nullable QuotaReservation first() {
    return first;
  }

  /** {@linkplain CohortPath#shelter That of the branch}. */
  @Nullable QuotaNode shelter() {
    return shelter;
  }

  /** All who hold quota there, as long as none of them changes. */
  Iterator<QuotaReservation> inOrder() {
    return holders.inOrder().iterator();
  }

  /** Those whose first workload gives way first come first; those who do not borrow are last. */
  static int byFirst(Borrower one, Borrower other) {
    if (one.first == null || other.first == null) {
      return Boolean.compare(one.first == null, other.first == null);
    }
    return QuotaReservation.byGivingWay(one.first, other.first);
  }
}
