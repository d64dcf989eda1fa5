package dev.sluice.engine.flavor;

import dev.sluice.engine.preemption.PreemptionSearch;
import dev.sluice.engine.preemption.Target;
import dev.sluice.engine.queue.NoFitReason;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QueueSpec;
import dev.sluice.engine.queue.QuotaLedger;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.Usage;
import dev.sluice.model.Amounts;
import dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Whether an amount of one resource fits into one flavor of a workload's queue, and how. */
final class QuotaCheck {
  private final PreemptionSearch preemption;
  private final PendingWorkload workload;
  private final QueueSpec queue;
  private final QuotaNode node;

  QuotaCheck(QuotaLedger ledger, PreemptionSearch preemption, PendingWorkload workload) {
    this.preemption = preemption;
    this.workload = workload;
    this.queue = ledger.queue(workload.clusterQueue()).orElseThrow();
    this.node = ledger.tree().queue(workload.clusterQueue()).orElseThrow();
  }

  /** How it fits, at which level of the tree, and what is missing if it does not fit now. */
  record Result(AssignmentMode mode, int level, Optional<NoFitReason> reason) {}

  /**
   * @param earlier what pod sets of the same workload that were looked at before ask for
   */
  Result check(FlavorResource of, long earlier, long requested) {
    long held = workload.replaces().map(slice -> slice.usage().get(of)).orElse(0L);
    long amount = Math.max(0, Amounts.difference(Amounts.sum(earlier, requested), held));
    long capacity = node.potentialAvailable(of);
    if (amount > capacity || amount == Amounts.UNLIMITED) {
      var reason = new NoFitReason.QuotaTooSmall(of, earlier, requested, capacity);
      return new Result(AssignmentMode.NO_FIT, 0, Optional.of(reason));
    }
    QuotaNode.Reach reach = node.reach(of, amount);
    long available = node.available(of);
    if (amount <= available) {
      return new Result(AssignmentMode.FIT, reach.level(), Optional.empty());
    }
    Optional<NoFitReason> missing =
        Optional.of(new NoFitReason.QuotaInUse(of, Amounts.difference(amount, available)));
    boolean mayPreempt =
        node.nominal(of) >= amount || reach.mayReclaim() || preemptsWhileBorrowing();
    return mayPreempt
        ? afterPreemption(of, amount, missing)
        : new Result(AssignmentMode.NO_FIT, reach.level(), missing);
  }

  private boolean preemptsWhileBorrowing() {
    return queue.preemption().whileBorrowing()
        || (preemption.fair() && queue.preemption().withinCohort() != PreemptionPolicy.NEVER);
  }

  private Result afterPreemption(FlavorResource of, long amount, Optional<NoFitReason> missing) {
    List<Target> targets = preemption.targets(workload, Usage.of(of, amount), Set.of(of));
    return new Result(
        AssignmentMode.after(targets, queue.name()),
        preemption.levelWithout(targets, node.cell(of), amount),
        missing);
  }
}
