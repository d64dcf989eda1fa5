package dev.sluice.engine.preemption;

import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.queue.QuotaLedger;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.Usage;
import java.util.Set;

/** The workloads that the policies of a queue allow a pending workload to preempt. */
public final class PreemptionCandidates {
  private PreemptionCandidates() {}

  /**
   * The number of candidates. Whether their preemption would suffice is another question, which
   * {@link PreemptionSearch} answers.
   *
   * @param needed where the workload does not fit
   */
  public static int count(
      QuotaLedger ledger,
      PreemptionRules rules,
      PendingWorkload workload,
      Set<FlavorResource> needed) {
    var context = new PreemptionContext(ledger, rules, workload, Usage.NONE, needed);
    QuotaNode own = context.node();
    QueueSpec.Preemption policies = context.queue().preemption();
    int within = context.candidates(own, policies.withinQueue()).size();
    int[] borrowing = {0};
    own.root()
        .forEachQueue(other -> {
          if (other != own && other.borrowsAny(needed)) {
            borrowing[0] += context.candidates(other, policies.withinCohort()).size();
          }
        });
    return within + borrowing[0];
  }
}
