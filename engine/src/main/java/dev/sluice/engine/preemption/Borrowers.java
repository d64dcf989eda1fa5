package dev.sluice.engine.preemption;

import dev.sluice.engine.queue.Ledger;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.QuotaNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The queues right below a cohort that use more than their quota of something. Many heads of a
 * cohort ask for the same before anything changes, so what was found is kept until then.
 */
final class Borrowers {
  private final Ledger ledger;
  private final Map<Question, List<QuotaNode>> known = new LinkedHashMap<>();
  private long version = -1;

  Borrowers(Ledger ledger) {
    this.ledger = ledger;
  }

  private record Question(QuotaNode cohort, Set<FlavorResource> needed) {}

  /**
   * The queues that use more than their own of anything that is needed, by name. The usage in the
   * tree must be that of the reservations.
   */
  List<QuotaNode> below(QuotaNode cohort, Set<FlavorResource> needed) {
    if (version != ledger.version()) {
      known.clear();
      version = ledger.version();
    }
    return known.computeIfAbsent(new Question(cohort, needed), Borrowers::find);
  }

  private static List<QuotaNode> find(Question question) {
    var found = new ArrayList<QuotaNode>();
    for (QuotaNode queue : question.cohort().queues()) {
      if (borrows(queue, question.needed())) {
        found.add(queue);
      }
    }
    return List.copyOf(found);
  }

  private static boolean borrows(QuotaNode queue, Set<FlavorResource> needed) {
    for (FlavorResource of : needed) {
      if (queue.borrows(of)) {
        return true;
      }
    }
    return false;
  }
}
