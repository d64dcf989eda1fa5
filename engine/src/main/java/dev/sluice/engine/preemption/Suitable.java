package dev.sluice.engine.preemption;

import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The workloads of a queue that a preemptor may evict and that use what is needed, found lazily.
 */
final class Suitable implements Iterator<QuotaReservation> {
  private final PreemptionContext search;
  private final PreemptionPolicy policy;
  private final Iterator<QuotaReservation> all;
  private @Nullable QuotaReservation next;
  private boolean spared;

  Suitable(PreemptionContext search, PreemptionPolicy policy, Iterator<QuotaReservation> all) {
    this.search = search;
    this.policy = policy;
    this.all = all;
  }

  @Override
  public boolean hasNext() {
    while (next == null && !spared && all.hasNext()) {
      QuotaReservation held = all.next();
      next = search.mayTake(held, policy) ? held : null;
      spared = search.sparesAllFrom(held, policy);
    }
    return next != null;
  }

  @Override
  public QuotaReservation next() {
    if (!hasNext() || next == null) {
      throw new NoSuchElementException();
    }
    QuotaReservation found = next;
    next = null;
    return found;
  }
}
