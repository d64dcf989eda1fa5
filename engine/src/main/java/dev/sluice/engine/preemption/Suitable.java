package dev.sluice.engine.preemption;

import dev.sluice.engine.queue.Reservation;
import dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Those of a queue whom a search may evict and who use what is needed, looked for one by one. */
final class Suitable implements Iterator<Reservation> {
  private final Search search;
  private final PreemptionPolicy policy;
  private final Iterator<Reservation> all;
  private @Nullable Reservation next;
  private boolean spared;

  Suitable(Search search, PreemptionPolicy policy, Iterator<Reservation> all) {
    this.search = search;
    this.policy = policy;
    this.all = all;
  }

  @Override
  public boolean hasNext() {
    while (next == null && !spared && all.hasNext()) {
      Reservation held = all.next();
      next = search.mayTake(held, policy) ? held : null;
      spared = search.sparesAllFrom(held, policy);
    }
    return next != null;
  }

  @Override
  public Reservation next() {
    if (!hasNext() || next == null) {
      throw new NoSuchElementException();
    }
    Reservation found = next;
    next = null;
    return found;
  }
}
