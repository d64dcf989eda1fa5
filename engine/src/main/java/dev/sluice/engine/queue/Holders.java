package dev.sluice.engine.queue;

import java.util.Collection;
import java.util.Collections;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Those who hold quota in one queue, {@linkplain QuotaReservation#byGivingWay who gives way first}.
 * The first of them is kept at hand: searches ask all queues of a tree for it, again and again.
 *
 * <p>Threads: one owner, that of the ledger.
 */
public final class Holders {
  private final NavigableSet<QuotaReservation> inOrder =
      new TreeSet<>(QuotaReservation::byGivingWay);
  private Optional<QuotaReservation> first = Optional.empty();
  private int evicted;

  /** All of them, in order. */
  public Collection<QuotaReservation> inOrder() {
    return Collections.unmodifiableCollection(inOrder);
  }

  public Optional<QuotaReservation> first() {
    return first;
  }

  boolean isEmpty() {
    return inOrder.isEmpty();
  }

  /** Whether somebody is on the way out. */
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
