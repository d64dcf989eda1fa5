package dev.sluice.engine.preemption;

import dev.sluice.engine.queue.Reservation;
import dev.sluice.engine.quota.QuotaNode;
import java.util.Comparator;
import java.util.Iterator;
import java.util.PriorityQueue;

/**
 * The candidates of several queues in one order, each queue's in that order already. Most searches
 * need few of many, so a queue's next candidate is looked for only when the one before is taken.
 */
final class MergedCandidates {
  private final PriorityQueue<Source> sources;

  MergedCandidates(Comparator<Reservation> order) {
    this.sources = new PriorityQueue<>((one, other) -> order.compare(one.first, other.first));
  }

  /** A queue with candidates left. */
  private static final class Source {
    private final QuotaNode meeting;
    private final Iterator<Reservation> rest;
    private Reservation first;

    Source(QuotaNode meeting, Iterator<Reservation> rest) {
      this.meeting = meeting;
      this.rest = rest;
      this.first = rest.next();
    }
  }

  /** Adds the candidates of a queue, whose branch meets that of the searching queue somewhere. */
  void add(QuotaNode meeting, Iterator<Reservation> candidates) {
    if (candidates.hasNext()) {
      sources.add(new Source(meeting, candidates));
    }
  }

  boolean hasNext() {
    return !sources.isEmpty();
  }

  Reservation first() {
    return sources.element().first;
  }

  /** Where the branch of the first one's queue meets that of the searching queue. */
  QuotaNode meetingOfFirst() {
    return sources.element().meeting;
  }

  Reservation take() {
    Source source = sources.remove();
    Reservation taken = source.first;
    if (source.rest.hasNext()) {
      source.first = source.rest.next();
      sources.add(source);
    }
    return taken;
  }
}
