package dev.sluice.engine.preemption;

import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QuotaLedger;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.Usage;
import java.util.ArrayList;
import java.util.List;

/**
 * The check of the invariant that preemption never evicts more than needed: a workload fits once
 * all its victims are gone, and would not if any one of them stayed. Where it ends up without
 * borrowing, staying within its quota is a part of fitting.
 *
 * <p>It recounts in the quota tree, regardless of how the victims were found, and leaves the tree
 * unchanged.
 */
final class MinimalVictimsCheck {
  private final QuotaLedger ledger;
  private final PendingWorkload workload;
  private final QuotaNode node;
  private final Usage request;

  MinimalVictimsCheck(QuotaLedger ledger, PendingWorkload workload, Usage request) {
    this.ledger = ledger;
    this.workload = workload;
    this.node = ledger.tree().queue(workload.clusterQueue()).orElseThrow();
    this.request = request;
  }

  /** Messages that say how these victims violate the invariant; none if they do not. */
  List<String> breaches(List<Target> victims) {
    var violations = new ArrayList<String>();
    if (victims.isEmpty()) {
      return violations;
    }
    victims.forEach(this::remove);
    boolean borrows = borrows();
    if (!node.fits(request)) {
      violations.add("Workload %s evicts others and still does not fit".formatted(workload.path()));
    }
    for (Target target : victims) {
      add(target);
      if (node.fits(request) && (borrows || !borrows())) {
        violations.add(
            "Workload %s evicts Workload %s, which could stay"
                .formatted(workload.path(), target.victim().path()));
      }
      remove(target);
    }
    victims.forEach(this::add);
    return violations;
  }

  private boolean borrows() {
    for (int i = 0; i < request.size(); i++) {
      if (request.amount(i) > 0 && node.borrowsWith(request.what(i), request.amount(i))) {
        return true;
      }
    }
    return false;
  }

  private void remove(Target target) {
    nodeOf(target).remove(target.victim().usage());
  }

  private void add(Target target) {
    nodeOf(target).add(target.victim().usage());
  }

  private QuotaNode nodeOf(Target target) {
    return ledger.tree().queue(target.victim().clusterQueue()).orElseThrow();
  }
}
