package dev.sluice.engine.preemption;

import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.queue.QuotaLedger;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.QuotaCell;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.Usage;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The search for victims whose preemption lets another workload fit.
 *
 * <p>The quota tree is changed during a search and restored when it returns. The usage in the tree
 * must be that of the reservations, without anything that is on trial.
 */
public final class PreemptionSearch {
  private final QuotaLedger ledger;
  private final PreemptionRules rules;
  private final Borrowers borrowers;
  private final boolean shortcuts;
  private @Nullable LastTargets last;
  private @Nullable Consumer<String> witness;

  public PreemptionSearch(QuotaLedger ledger, PreemptionRules rules) {
    this(ledger, rules, true);
  }

  private PreemptionSearch(QuotaLedger ledger, PreemptionRules rules, boolean shortcuts) {
    this.ledger = ledger;
    this.rules = rules;
    this.shortcuts = shortcuts;
    this.borrowers = new Borrowers(ledger);
  }

  /** A search that remembers no answer and always looks at all candidates. It finds the same. */
  public static PreemptionSearch withoutShortcuts(QuotaLedger ledger, PreemptionRules rules) {
    return new PreemptionSearch(ledger, rules, false);
  }

  /** From now on, the listener is notified of every victim that could stay, as a message. */
  public void watch(Consumer<String> listener) {
    witness = listener;
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
    var question = new LastRequest(workload, request, needed, ledger.version());
    if (!shortcuts || last == null || !last.question().equals(question)) {
      last = new LastTargets(question, search(question));
    }
    return last.targets();
  }

  /** The height in the tree up to which an amount is borrowed once these victims are gone. */
  public int levelWithout(List<Target> gone, QuotaCell cell, long amount) {
    if (cell.level(amount) == 0) {
      return 0; // even while they run
    }
    gone.forEach(victim -> nodeOf(victim).remove(victim.victim().usage()));
    int level = cell.level(amount);
    gone.forEach(victim -> nodeOf(victim).add(victim.victim().usage()));
    return level;
  }

  private QuotaNode nodeOf(Target target) {
    return ledger.tree().queue(target.victim().clusterQueue()).orElseThrow();
  }

  private List<Target> search(LastRequest question) {
    List<Target> found = find(question);
    if (witness != null) {
      new MinimalVictimsCheck(ledger, question.workload(), question.request())
          .breaches(found)
          .forEach(witness);
    }
    return found;
  }

  private List<Target> find(LastRequest question) {
    var search =
        new PreemptionContext(
            ledger, rules, question.workload(), question.request(), question.needed());
    if (search.isBeyondReach()) {
      return List.of();
    }
    if (rules.fair()) {
      return new FairPreemption(search, rules).targets();
    }
    Optional<Target> first =
        shortcuts ? ClassicalPreemption.firstOfAll(search, borrowers) : Optional.empty();
    return first.isPresent()
        ? List.of(first.get())
        : new ClassicalPreemption(search, borrowers).targets();
  }

  /** The last request: assigning flavors mostly needs the same search that follows it. */
  private record LastRequest(
      PendingWorkload workload, Usage request, Set<FlavorResource> needed, long version) {}

  private record LastTargets(LastRequest question, List<Target> targets) {}
}
