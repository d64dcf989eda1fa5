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
 * The workloads of several queues in one order, each queue's in that order already. Most searches
 * need few of many, so a queue's next workload is looked for only when the one before was asked
 * for, and a queue is not looked at before its first workload is next. Whoever was found stays
 * known, so several searches can go through the same order.
 */
final class MergedCandidates {
  /** Where there is nobody; nobody is ever added to it. */
  static final MergedCandidates NOBODY = new MergedCandidates((_, _) -> 0);

  private final Comparator<QuotaReservation> order;
  private final PriorityQueue<Source> sources;
  private final List<Borrower> unopened;
  private int opened;
  private final List<Candidate> merged = new ArrayList<>();

  MergedCandidates(Comparator<QuotaReservation> order) {
    this(order, List.of());
  }

  /**
   * @param borrowers by their first workloads in that order; the first who has none ends them
   */
  MergedCandidates(Comparator<QuotaReservation> order, List<Borrower> borrowers) {
    this.order = order;
    this.sources = new PriorityQueue<>(1, (one, other) -> order.compare(one.first, other.first));
    this.unopened = borrowers;
  }

  /**
   * A workload that may go.
   *
   * @param branch where it holds quota
   * @param shelter {@linkplain CohortPath#shelter that of the branch} before anybody was taken away
   */
  record Candidate(
      QuotaReservation held, CohortPath branch, @Nullable QuotaNode shelter, Counted counted) {

    QuotaNode queue() {
      return branch.queue();
    }
  }

  /** A queue with workloads left. */
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

  /** Adds the workloads of a queue, before anybody is asked for. */
  void add(CohortPath branch, Iterator<QuotaReservation> inOrder) {
    if (inOrder.hasNext()) {
      sources.add(new Source(branch, branch.shelter(), inOrder));
    }
  }

  /** Who is at a place in the order, the first at 0; null if there are not as many. */
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

  /** Adds the next queue if its first workload comes before all that are left of the others. */
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
