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
 * The workloads of all queues of a tree that use more than their quota of something, by who gives
 * way first. The heads of many queues ask for the same before anything changes, so what was found
 * is kept until then; and where the queues count what is asked for, until they are defined anew.
 *
 * <p>The usage in the tree must be that of the reservations.
 */
final class Borrowers {
  /** More questions than that are not kept. */
  private static final int MOST = 256;

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

  /** Those below a root; who searches leaves out those whom it may not evict. */
  MergedCandidates below(QuotaNode root, Set<FlavorResource> needed) {
    forgetWhatChanged();
    return known.computeIfAbsent(new BorrowersKey(root, needed), this::find);
  }

  private void forgetWhatChanged() {
    if (tree != ledger.tree() || queues.size() > MOST) {
      queues.clear();
      known.clear();
      tree = ledger.tree();
    }
    if (version != ledger.version()) {
      known.clear();
      version = ledger.version();
    }
  }

  /** Little has changed since the last time, so they are nearly in order already. */
  private MergedCandidates find(BorrowersKey question) {
    List<Borrower> some = queues.computeIfAbsent(question, this::queues);
    some.forEach(Borrower::look);
    some.sort(Borrower::byFirst);
    return new MergedCandidates(QuotaReservation::byGivingWay, some);
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
