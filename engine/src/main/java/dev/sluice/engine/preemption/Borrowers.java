package dev.sluice.engine.preemption;

import dev.sluice.engine.queue.Ledger;
import dev.sluice.engine.queue.Reservation;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.QuotaNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The workloads of all queues of a tree that use more than their quota of something, by who gives
 * way first. The heads of many queues ask for the same before anything changes, so what was found
 * is kept until then.
 *
 * <p>The usage in the tree must be that of the reservations.
 */
final class Borrowers {
  private final Ledger ledger;
  private final Map<Question, MergedCandidates> known = new LinkedHashMap<>();
  private long version = -1;

  Borrowers(Ledger ledger) {
    this.ledger = ledger;
  }

  private record Question(QuotaNode root, Set<FlavorResource> needed) {}

  /** Those below a root; who searches leaves out those whom it may not evict. */
  MergedCandidates below(QuotaNode root, Set<FlavorResource> needed) {
    if (version != ledger.version()) {
      known.clear();
      version = ledger.version();
    }
    return known.computeIfAbsent(new Question(root, needed), this::find);
  }

  private MergedCandidates find(Question question) {
    var found = new MergedCandidates(Reservation::byGivingWay);
    question
        .root()
        .forEachQueue(queue -> {
          if (queue.borrowsAny(question.needed()) && ledger.admits(queue.name())) {
            found.add(queue, question.needed(), ledger.reservations(queue.name()).iterator());
          }
        });
    return found;
  }
}
