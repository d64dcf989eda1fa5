package dev.sluice.engine.preemption;

import dev.sluice.engine.queue.QuotaLedger;
import dev.sluice.engine.queue.QuotaReservation;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.QuotaTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The workloads of all ClusterQueues below a root that borrow something, in candidate order. The
 * heads of many queues ask for the same before anything changes, so a result is kept until the next
 * change of the ledger, and the list of queues with their cells until the next change of the tree.
 *
 * <p>The usage in the tree must be that of the reservations.
 */
final class Borrowers {
  /** When more results than that are kept, all are dropped. */
  private static final int MAX_RESULTS = 256;

  private final QuotaLedger ledger;
  private final Map<BorrowersKey, List<Borrower>> queues = new LinkedHashMap<>();
  private final Map<BorrowersKey, MergedCandidates> known = new LinkedHashMap<>();
  private QuotaTree tree;
  private long version;

  Borrowers(QuotaLedger ledger) {
    this.ledger = ledger;
    this.tree = ledger.tree();
    this.version = ledger.version();
  }

  private record BorrowersKey(QuotaNode root, Set<FlavorResource> needed) {}

  /** The candidates below a root, including some that the preemptor's policy does not allow. */
  MergedCandidates below(QuotaNode root, Set<FlavorResource> needed) {
    forgetWhatChanged();
    return known.computeIfAbsent(new BorrowersKey(root, needed), this::find);
  }

  private void forgetWhatChanged() {
    if (tree != ledger.tree() || queues.size() > MAX_RESULTS) {
      queues.clear();
      known.clear();
      tree = ledger.tree();
    }
    if (version != ledger.version()) {
      known.clear();
      version = ledger.version();
    }
  }

  /** The list stays nearly sorted between calls, so sorting it again is cheap. */
  private MergedCandidates find(BorrowersKey question) {
    List<Borrower> some = queues.computeIfAbsent(question, this::queues);
    some.forEach(Borrower::look);
    some.sort(Borrower::byFirst);
    return new MergedCandidates(QuotaReservation::inPreemptionOrder, some);
  }

  private List<Borrower> queues(BorrowersKey question) {
    var found = new ArrayList<Borrower>();
    question
        .root()
        .forEachQueue(queue -> {
          if (ledger.admits(queue.name())) {
            var branch = new CohortPath(queue, question.needed());
            found.add(new Borrower(branch, ledger.holders(queue.name())));
          }
        });
    return found;
  }
}
