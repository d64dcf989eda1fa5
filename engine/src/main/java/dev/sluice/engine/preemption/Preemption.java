package dev.sluice.engine.preemption;

import dev.sluice.engine.queue.Ledger;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.Usage;
import java.util.List;
import java.util.Set;

/**
 * Finds the workloads that must give way so that another fits.
 *
 * <p>The ledger's tree is changed while searching and is as before when a search returns.
 */
public final class Preemption {
  private final Ledger ledger;
  private final PreemptionRules rules;

  public Preemption(Ledger ledger, PreemptionRules rules) {
    this.ledger = ledger;
    this.rules = rules;
  }

  public boolean fair() {
    return rules.fair();
  }

  /**
   * The workloads to evict; none if that would not help.
   *
   * @param request all that the workload asks for
   * @param needed where it does not fit
   */
  public List<Target> targets(PendingWorkload workload, Usage request, Set<FlavorResource> needed) {
    var search = new Search(ledger, rules, workload, request, needed);
    return rules.fair()
        ? new FairSearch(search, rules).targets()
        : new ClassicalSearch(search).targets();
  }
}
