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

/** The check whether an amount of one resource fits in one flavor of a workload's ClusterQueue. */
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

  /** The mode, the borrowing level, and what is missing if it does not fit now. */
  record Result(AssignmentMode mode, int level, Optional<NoFitReason> reason) {}

  /**
   * @param earlier the requests of the workload's pod sets that were considered before
   */
  Result check(FlavorResource flavorResource, long earlier, long requested) {
    long held = workload.replaces().map(slice -> slice.usage().get(flavorResource)).orElse(0L);
    long amount = Math.max(0, Amounts.difference(Amounts.sum(earlier, requested), held));
    long capacity = node.potentialAvailable(flavorResource);
    if (amount > capacity || amount == Amounts.UNLIMITED) {
      var reason = new NoFitReason.QuotaTooSmall(flavorResource, earlier, requested, capacity);
      return new Result(AssignmentMode.NO_FIT, 0, Optional.of(reason));
    }
    QuotaNode.Reach reach = node.reach(flavorResource, amount);
    long available = node.available(flavorResource);
    if (amount <= available) {
      return new Result(AssignmentMode.FIT, reach.level(), Optional.empty());
    }
    Optional<NoFitReason> missing =
        Optional.of(
            new NoFitReason.QuotaInUse(flavorResource, Amounts.difference(amount, available)));
    boolean mayPreempt =
        node.nominal(flavorResource) >= amount || reach.mayReclaim() || preemptsWhileBorrowing();
    return mayPreempt
        ? afterPreemption(flavorResource, amount, missing)
        : new Result(AssignmentMode.NO_FIT, reach.level(), missing);
  }

  private boolean preemptsWhileBorrowing() {
    return queue.preemption().whileBorrowing()
        || (preemption.fair() && queue.preemption().withinCohort() != PreemptionPolicy.NEVER);
  }

  private Result afterPreemption(
      FlavorResource flavorResource, long amount, Optional<NoFitReason> missing) {
    List<Target> targets =
        preemption.targets(workload, Usage.of(flavorResource, amount), Set.of(flavorResource));
    return new Result(
        AssignmentMode.after(targets, queue.name()),
        preemption.levelWithout(targets, node.cell(flavorResource), amount),
        missing);
  }
}
