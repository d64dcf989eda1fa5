package dev.sluice.engine.preemption;

import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.engine.quota.Counted;
import dev.sluice.engine.quota.QuotaNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The candidates of several ClusterQueues, merged in one order; each queue brings its own already
 * sorted. Most searches need few of many, so a queue's next workload is read only once the one
 * before was taken, and a queue is not read before its first workload is next. Merged candidates
 * are kept, so several searches can share the order.
 */
final class MergedCandidates {
  /** No candidates; none may be added. */
  static final MergedCandidates NONE = new MergedCandidates((_, _) -> 0);

  private final Comparator<QuotaReservation> order;
  private final PriorityQueue<Source> sources;
  private final List<Borrower> unopened;
  private int opened;
  private final List<Candidate> merged = new ArrayList<>();

  MergedCandidates(Comparator<QuotaReservation> order) {
    this(order, List.of());
  }

  /**
   * @param borrowers sorted by their first candidates; the first borrower without one ends the list
   */
  MergedCandidates(Comparator<QuotaReservation> order, List<Borrower> borrowers) {
    this.order = order;
    this.sources = new PriorityQueue<>(1, (one, other) -> order.compare(one.first, other.first));
    this.unopened = borrowers;
  }

  /**
   * A workload that may be preempted.
   *
   * @param branch where it holds quota
   * @param shelter {@linkplain CohortPath#shelter that of the branch} before any victim was removed
   */
  record Candidate(
      QuotaReservation held, CohortPath branch, @Nullable QuotaNode shelter, Counted counted) {

    QuotaNode queue() {
      return branch.queue();
    }
  }

  /** A queue with candidates left. */
  private static final class Source {
    private final CohortPath branch;
    private final @Nullable QuotaNode shelter;
    private final Iterator<QuotaReservation> rest;
    private QuotaReservation first;

    Source(CohortPath branch, @Nullable QuotaNode shelter, Iterator<QuotaReservation> rest) {
      this.branch = branch;
      this.shelter = shelter;
      this.rest = rest;
      this.first = rest.next();
    }
  }

  /** Adds the workloads of a queue; only before the first call of {@link #at}. */
  void add(CohortPath branch, Iterator<QuotaReservation> inOrder) {
    if (inOrder.hasNext()) {
      sources.add(new Source(branch, branch.shelter(), inOrder));
    }
  }

  /** The candidate at a place in the order, the first at 0; null if there are fewer. */
  @Nullable Candidate at(int place) {
    while (place >= merged.size()) {
      openNext();
      if (sources.isEmpty()) {
        return null;
      }
      merged.add(take(sources.remove()));
    }
    return merged.get(place);
  }

  /** Opens the next queue if its first workload comes before all that are left of the others. */
  private void openNext() {
    Borrower next = opened < unopened.size() ? unopened.get(opened) : null;
    QuotaReservation first = next == null ? null : next.first();
    Source other = sources.peek();
    if (next != null && first != null && (other == null || order.compare(first, other.first) < 0)) {
      opened++;
      sources.add(new Source(next.branch(), next.shelter(), next.inOrder()));
    }
  }

  private Candidate take(Source source) {
    QuotaReservation held = source.first;
    Counted counted = source.branch.queue().counted(held.usage());
    var taken = new Candidate(held, source.branch, source.shelter, counted);
    if (source.rest.hasNext()) {
      source.first = source.rest.next();
      sources.add(source);
    }
    return taken;
  }
}
