package dev.sluice.engine.preemption;

import dev.sluice.engine.queue.Ledger;
import dev.sluice.engine.queue.Reservation;
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

  private final Ledger ledger;
  private final Map<Question, List<Branch>> branches = new LinkedHashMap<>();
  private final Map<Question, MergedCandidates> known = new LinkedHashMap<>();
  private QuotaTree tree;
  private long version;

  Borrowers(Ledger ledger) {
    this.ledger = ledger;
    this.tree = ledger.tree();
    this.version = ledger.version();
  }

  private record Question(QuotaNode root, Set<FlavorResource> needed) {}

  /** Those below a root; who searches leaves out those whom it may not evict. */
  MergedCandidates below(QuotaNode root, Set<FlavorResource> needed) {
    forgetWhatChanged();
    return known.computeIfAbsent(new Question(root, needed), this::find);
  }

  private void forgetWhatChanged() {
    if (tree != ledger.tree() || branches.size() > MOST) {
      branches.clear();
      known.clear();
      tree = ledger.tree();
    }
    if (version != ledger.version()) {
      known.clear();
      version = ledger.version();
    }
  }

  private MergedCandidates find(Question question) {
    var found = new MergedCandidates(Reservation::byGivingWay);
    for (Branch branch : branches.computeIfAbsent(question, this::branches)) {
      if (branch.borrows()) {
        found.add(branch, ledger.reservations(branch.queue().name()).iterator());
      }
    }
    return found;
  }

  private List<Branch> branches(Question question) {
    var found = new ArrayList<Branch>();
    question
        .root()
        .forEachQueue(queue -> {
          if (ledger.admits(queue.name())) {
            found.add(new Branch(queue, question.needed()));
          }
        });
    return found;
  }
}
