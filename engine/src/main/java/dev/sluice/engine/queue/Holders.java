package dev.sluice.engine.queue;

import java.util.Collection;
import java.util.Collections;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The reservations in one ClusterQueue, in {@linkplain QuotaReservation#inPreemptionOrder the order
 * of preemption}. The first of them is cached: searches read it for all queues of a tree, over and
 * over.
 *
 * <p>Threads: one owner, that of the ledger.
 */
public final class Holders {
  private final NavigableSet<QuotaReservation> inOrder =
      new TreeSet<>(QuotaReservation::inPreemptionOrder);
  private Optional<QuotaReservation> first = Optional.empty();
  private int evicted;

  /** All reservations, in order. */
  public Collection<QuotaReservation> inOrder() {
    return Collections.unmodifiableCollection(inOrder);
  }

  public Optional<QuotaReservation> first() {
    return first;
  }

  boolean isEmpty() {
    return inOrder.isEmpty();
  }

  /** Whether a workload is being evicted. */
  boolean hasEvicted() {
    return evicted > 0;
  }

  void add(QuotaReservation held) {
    inOrder.add(held);
    evicted += held.evicted() ? 1 : 0;
    noteFirst();
  }

  void remove(QuotaReservation held) {
    inOrder.remove(held);
    evicted -= held.evicted() ? 1 : 0;
    noteFirst();
  }

  private void noteFirst() {
    first = inOrder.isEmpty() ? Optional.empty() : Optional.of(inOrder.first());
  }
}
