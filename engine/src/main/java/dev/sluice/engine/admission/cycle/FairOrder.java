package dev.sluice.engine.admission.cycle;

import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.Share;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * The order of entries with fair sharing, a tournament: every cohort sends the entry one level up
 * that would give its queue or cohort the lowest share.
 *
 * <p>Shares change with every admission, but only on the path of the queue that was processed: the
 * share of a branch depends on what is used in it, and on the entry that would come in addition. So
 * the other branches keep their positions, and only that path is played again.
 */
public final class FairOrder implements EntryOrder {
  private final AdmissionRules rules;
  private final Map<QuotaNode, PriorityQueue<Branch>> byCohort = new LinkedHashMap<>();
  private final QuotaNode root;
  private Optional<CycleEntry> processed = Optional.empty();

  /**
   * The entry that a branch of a cohort sends, and the share that the branch would have with it.
   */
  private record Branch(CycleEntry entry, boolean borrows, Share share) {}

  /**
   * @param entries of queues below one root, at least one; no two of one queue
   */
  public FairOrder(AdmissionRules rules, List<CycleEntry> entries) {
    this.rules = rules;
    this.root = entries.getFirst().node().root();
    enterAll(entries);
  }

  private void enterAll(Collection<CycleEntry> entries) {
    byCohort.clear();
    for (CycleEntry entry : entries) {
      QuotaNode node = entry.node();
      QuotaNode cohort = node.parent();
      branches(cohort == null ? node : cohort).add(branch(entry, node));
    }
    root.cohorts().forEach(this::enterAll);
  }

  private void enterAll(QuotaNode cohort) {
    cohort.cohorts().forEach(this::enterAll);
    enter(cohort);
  }

  @Override
  public Optional<CycleEntry> next() {
    processed.ifPresent(this::leave);
    processed = Optional.ofNullable(branches(root).peek()).map(Branch::entry);
    return processed;
  }

  /** The processed entry was sent by every branch on its path; each sends another from now on. */
  private void leave(CycleEntry gone) {
    QuotaNode node = gone.node();
    branches(node.parent() == null ? node : node.parent()).remove();
    for (QuotaNode at = node.parent(); at != null && at.parent() != null; at = at.parent()) {
      branches(at.parent()).remove();
      enter(at);
    }
    if (gone.entry().workload().replaces().isPresent()) {
      enterAll(remaining()); // the slice that it replaced may have been in any queue
    }
  }

  private List<CycleEntry> remaining() {
    var remaining = new ArrayList<CycleEntry>();
    byCohort.forEach((cohort, branches) ->
        branches.stream()
            .map(Branch::entry)
            .filter(entry -> cohort.equals(entry.node().parent()))
            .forEach(remaining::add));
    return remaining;
  }

  /** Sends the best entry of a cohort one level up. */
  private void enter(QuotaNode cohort) {
    QuotaNode above = cohort.parent();
    Branch best = branches(cohort).peek();
    if (above != null && best != null) {
      branches(above).add(branch(best.entry(), cohort));
    }
  }

  private PriorityQueue<Branch> branches(QuotaNode cohort) {
    return byCohort.computeIfAbsent(cohort, _ -> new PriorityQueue<>(this::compare));
  }

  private int compare(Branch left, Branch right) {
    boolean preemptor = left.entry().isPreemptor();
    if (rules.preemptorsFirst() && preemptor != right.entry().isPreemptor()) {
      return preemptor ? -1 : 1;
    }
    if (rules.ownQuotaFirst() && left.borrows() != right.borrows()) {
      return left.borrows() ? 1 : -1;
    }
    int byShare = left.share().compareTo(right.share());
    return byShare != 0 ? byShare : left.entry().entry().compareTo(right.entry().entry());
  }

  private static Branch branch(CycleEntry entry, QuotaNode node) {
    entry.node().add(entry.usage());
    boolean borrows = node.borrowsAny(entry.usage());
    var branch = new Branch(entry, borrows, node.share());
    entry.node().remove(entry.usage());
    return branch;
  }
}
