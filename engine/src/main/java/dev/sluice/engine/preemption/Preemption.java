package dev.sluice.engine.preemption;

import dev.sluice.engine.queue.Ledger;
import dev.sluice.engine.queue.PendingWorkload;
import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.Usage;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the workloads that must give way so that another fits.
 *
 * <p>The ledger's tree is changed while searching and is as before when a search returns. The usage
 * in the tree must be that of the reservations, without anything that is only tried.
 */
public final class Preemption {
  private final Ledger ledger;
  private final PreemptionRules rules;
  private final Borrowers borrowers;
  private @Nullable Answer last;

  public Preemption(Ledger ledger, PreemptionRules rules) {
    this.ledger = ledger;
    this.rules = rules;
    this.borrowers = new Borrowers(ledger);
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
    var question = new Question(workload, request, needed, ledger.version());
    if (last == null || !last.question().equals(question)) {
      last = new Answer(question, search(question));
    }
    return last.targets();
  }

  private List<Target> search(Question question) {
    if (isBeyondReach(question)) {
      return List.of();
    }
    var search =
        new Search(ledger, rules, question.workload(), question.request(), question.needed());
    return rules.fair()
        ? new FairSearch(search, rules).targets()
        : new ClassicalSearch(search, borrowers).targets();
  }

  private boolean isBeyondReach(Question question) {
    String name = question.workload().clusterQueue();
    QuotaNode node = ledger.tree().queue(name).orElseThrow();
    var bound = new UpperBound(node, ledger.queue(name).orElseThrow(), rules.fair());
    for (FlavorResource of : question.needed()) {
      long most = bound.most(node.cell(of), question.workload().priority());
      if (question.request().get(of) > most) {
        return true;
      }
    }
    return false;
  }

  /** What was asked last: flavors are mostly judged by the same search that follows. */
  private record Question(
      PendingWorkload workload, Usage request, Set<FlavorResource> needed, long version) {}

  private record Answer(Question question, List<Target> targets) {}
}
