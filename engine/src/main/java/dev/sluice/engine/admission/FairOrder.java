package dev.sluice.engine.admission;

import dev.sluice.engine.quota.FlavorResource;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.Share;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Serves, in each cohort, whoever would have the lowest share: every cohort sends the best of its
 * queues and cohorts one level up.
 *
 * <p>Shares change with every admission, but only on the path of the queue that was served: how a
 * branch stands depends on what is used in it, and on who would come in addition. So the others
 * keep their places, and only that path is played again.
 */
final class FairOrder {
  private final Comparator<Entry> order;
  private final Map<QuotaNode, PriorityQueue<Entry>> byCohort = new LinkedHashMap<>();
  private final QuotaNode root;
  private Optional<Nomination> served = Optional.empty();

  /** Who stands for a branch of a cohort, and how the branch would stand with it. */
  private record Entry(Nomination nomination, boolean borrows, Share share) {}

  /**
   * @param nominations of queues below one root, at least one; no two of one queue
   */
  FairOrder(AdmissionRules rules, List<Nomination> nominations) {
    this.order =
        Comparator.comparing(
                (Entry one) -> !(rules.preemptorsFirst() && one.nomination().isPreemptor()))
            .thenComparing(one -> rules.ownQuotaFirst() && one.borrows())
            .thenComparing(Entry::share)
            .thenComparing(one -> one.nomination().item());
    this.root = nominations.getFirst().node().root();
    enterAll(nominations);
  }

  private void enterAll(Collection<Nomination> nominations) {
    byCohort.clear();
    for (Nomination nomination : nominations) {
      QuotaNode node = nomination.node();
      QuotaNode cohort = node.parent();
      entries(cohort == null ? node : cohort).add(entry(nomination, node));
    }
    root.cohorts().forEach(this::enterAll);
  }

  private void enterAll(QuotaNode cohort) {
    cohort.cohorts().forEach(this::enterAll);
    enter(cohort);
  }

  /** The next to serve, by what all before it got. */
  Optional<Nomination> next() {
    served.ifPresent(this::leave);
    served = Optional.ofNullable(entries(root).peek()).map(Entry::nomination);
    return served;
  }

  /** Who was served stood for every branch on the way up; somebody else does from now on. */
  private void leave(Nomination gone) {
    QuotaNode node = gone.node();
    entries(node.parent() == null ? node : node.parent()).remove();
    for (QuotaNode at = node.parent(); at != null && at.parent() != null; at = at.parent()) {
      entries(at.parent()).remove();
      enter(at);
    }
    if (gone.item().workload().replaces().isPresent()) {
      enterAll(remaining()); // what it replaced may have been in any queue
    }
  }

  private List<Nomination> remaining() {
    var remaining = new ArrayList<Nomination>();
    byCohort.forEach((cohort, entries) ->
        entries.stream()
            .map(Entry::nomination)
            .filter(one -> cohort.equals(one.node().parent()))
            .forEach(remaining::add));
    return remaining;
  }

  /** Sends the best of a cohort one level up. */
  private void enter(QuotaNode cohort) {
    QuotaNode above = cohort.parent();
    Entry best = entries(cohort).peek();
    if (above != null && best != null) {
      entries(above).add(entry(best.nomination(), cohort));
    }
  }

  private PriorityQueue<Entry> entries(QuotaNode cohort) {
    return byCohort.computeIfAbsent(cohort, _ -> new PriorityQueue<>(order));
  }

  private static Entry entry(Nomination nomination, QuotaNode branch) {
    nomination.node().add(nomination.usage());
    boolean borrows = false;
    for (FlavorResource of : nomination.usage().amounts().keySet()) {
      borrows |= branch.borrows(of);
    }
    var entry = new Entry(nomination, borrows, branch.share());
    nomination.node().remove(nomination.usage());
    return entry;
  }
}
