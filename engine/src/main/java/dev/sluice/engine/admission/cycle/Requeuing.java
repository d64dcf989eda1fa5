package dev.sluice.engine.admission.cycle;

import dev.sluice.engine.admission.pending.PendingEntry;
import dev.sluice.engine.admission.pending.PendingQueue;
import dev.sluice.engine.flavor.FlavorCursor;
import dev.sluice.engine.queue.QuotaLedger;
import java.util.ArrayList;
import java.util.List;

/**
 * The last step of an admission cycle: entries that got nothing go back to their queues.
 *
 * <p>An entry that has flavors left to try, or that was skipped, stays the head and is tried again
 * in the next cycle. The others are marked inadmissible at the end of the cycle, so that the next
 * workload of their queue becomes its head; in a strict queue the head stays.
 */
final class Requeuing {
  private final QuotaLedger ledger;
  private final List<Nomination> inadmissible = new ArrayList<>();
  private int markedInadmissible;

  Requeuing(QuotaLedger ledger) {
    this.ledger = ledger;
  }

  /**
   * An entry was skipped. It is tried again with the flavors that it has not tried. Once all of
   * them were tried its search starts again, but after the second time only a change can help: else
   * two entries that skip each other in turn would do so forever.
   *
   * @param tried where its search for flavors stopped
   * @return whether the next cycle may find more for it
   */
  boolean skipped(PendingQueue queue, PendingEntry entry, FlavorCursor tried) {
    entry.forget();
    boolean resumed = entry.cursor(queue.epoch()).unfinished();
    entry.resumeFrom(tried, queue.epoch());
    queue.retryHead();
    if (tried.unfinished()) {
      return !entry.hasSearchedTwice(situation());
    }
    if (resumed) {
      entry.restartSearch(situation());
    }
    return false;
  }

  /** An entry neither fits nor has victims; returns whether the next cycle may find more. */
  boolean inadmissible(Nomination nomination) {
    PendingQueue queue = nomination.queue();
    PendingEntry entry = nomination.entry();
    boolean resumed = entry.cursor(queue.epoch()).unfinished();
    FlavorCursor next = nextFlavors(nomination);
    entry.resumeFrom(next, queue.epoch());
    // Flavors before one that was taken by another entry are tried again, but once.
    if (next.unfinished() || (resumed && entry.restartSearch(situation()))) {
      entry.forget();
      return true;
    }
    if (queue.spec().strict()) {
      queue.headTried();
      return false;
    }
    inadmissible.add(nomination);
    return true;
  }

  /**
   * Where the search for flavors goes on. Each step brings every pod set on by one flavor at least,
   * so all were tried after as many steps as a resource group has flavors. Pod sets that come to
   * their last flavor in turn would go on forever.
   */
  static FlavorCursor nextFlavors(Nomination nomination) {
    PendingQueue queue = nomination.queue();
    int steps = nomination.entry().resumes(queue.epoch());
    return steps < queue.spec().mostFlavors() ? nomination.assignment().tried() : FlavorCursor.NONE;
  }

  /**
   * A number that changes whenever a skipped entry may find more: others got quota, or an entry
   * that reserved some became inadmissible. A million of those fit between two versions.
   */
  private long situation() {
    return (ledger.version() << 20) + markedInadmissible;
  }

  /** Ends the cycle. */
  void markInadmissible() {
    inadmissible.forEach(nomination -> nomination.queue().markInadmissible(nomination.entry()));
    markedInadmissible += inadmissible.size();
    inadmissible.clear();
  }
}
