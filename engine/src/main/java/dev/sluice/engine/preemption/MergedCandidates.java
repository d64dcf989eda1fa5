package dev.sluice.engine.preemption;

import dev.sluice.engine.queue.Reservation;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.QuotaNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The workloads of several queues in one order, each queue's in that order already. Most searches
 * need few of many, so a queue's next workload is looked for only when the one before was asked
 * for. Whoever was found stays known, so several searches can go through the same order.
 */
final class MergedCandidates {
  private final PriorityQueue<Source> sources;
  private final List<Candidate> merged = new ArrayList<>();

  MergedCandidates(Comparator<Reservation> order) {
    this.sources = new PriorityQueue<>((one, other) -> order.compare(one.first, other.first));
  }

  /**
   * A workload that may go.
   *
   * @param queue in which it holds quota
   * @param shelter the lowest cohort above that one which stays within its own quota, so that only
   *     those below it may take anything; null if all borrow
   */
  record Candidate(Reservation held, QuotaNode queue, @Nullable QuotaNode shelter) {}

  /** A queue with workloads left. */
  private static final class Source {
    private final QuotaNode queue;
    private final @Nullable QuotaNode shelter;
    private final Iterator<Reservation> rest;
    private Reservation first;

    Source(QuotaNode queue, @Nullable QuotaNode shelter, Iterator<Reservation> rest) {
      this.queue = queue;
      this.shelter = shelter;
      this.rest = rest;
      this.first = rest.next();
    }
  }

  /**
   * Adds the workloads of a queue, before anybody is asked for.
   *
   * @param needed what is searched for
   */
  void add(QuotaNode queue, Set<FlavorResource> needed, Iterator<Reservation> inOrder) {
    if (inOrder.hasNext()) {
      sources.add(new Source(queue, shelter(queue, needed), inOrder));
    }
  }

  private static @Nullable QuotaNode shelter(QuotaNode queue, Set<FlavorResource> needed) {
    QuotaNode at = queue.parent();
    while (at != null && at.borrowsAny(needed)) {
      at = at.parent();
    }
    return at;
  }

  /** Who is at a place in the order, the first at 0; null if there are not as many. */
  @Nullable Candidate at(int place) {
    while (place >= merged.size() && !sources.isEmpty()) {
      merged.add(take(sources.remove()));
    }
    return place < merged.size() ? merged.get(place) : null;
  }

  private Candidate take(Source source) {
    var taken = new Candidate(source.first, source.queue, source.shelter);
    if (source.rest.hasNext()) {
      source.first = source.rest.next();
      sources.add(source);
    }
    return taken;
  }
}
