package dev.sluice.engine.preemption;

import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QuotaLedger;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.Usage;
import java.util.ArrayList;
import java.util.List;

/**
 * The promise that preemption never evicts more than needed: a workload fits once all its victims
 * are gone, and would not if any one of them stayed. Where it ends up without borrowing, staying
 * within its quota is a part of fitting.
 *
 * <p>It recounts in the tree, regardless of how the victims were found, and leaves it as it was.
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

  /** How these victims break the promise, in words; nothing if they keep it. */
  List<String> breaches(List<Target> victims) {
    var broken = new ArrayList<String>();
    if (victims.isEmpty()) {
      return broken;
    }
    victims.forEach(this::remove);
    boolean borrows = borrows();
    if (!node.fits(request)) {
      broken.add("Workload %s evicts others and still does not fit".formatted(workload.path()));
    }
    for (Target one : victims) {
      add(one);
      if (node.fits(request) && (borrows || !borrows())) {
        broken.add(
            "Workload %s evicts Workload %s, which could stay"
                .formatted(workload.path(), one.victim().path()));
      }
      remove(one);
    }
    victims.forEach(this::add);
    return broken;
  }

  private boolean borrows() {
    for (int i = 0; i < request.size(); i++) {
      if (request.amount(i) > 0 && node.borrowsWith(request.what(i), request.amount(i))) {
        return true;
      }
    }
    return false;
  }

  private void remove(Target one) {
    nodeOf(one).remove(one.victim().usage());
  }

  private void add(Target one) {
    nodeOf(one).add(one.victim().usage());
  }

  private QuotaNode nodeOf(Target one) {
    return ledger.tree().queue(one.victim().clusterQueue()).orElseThrow();
  }
}
