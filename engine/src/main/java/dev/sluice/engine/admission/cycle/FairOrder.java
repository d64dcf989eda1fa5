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
 * Serves, in each cohort, whoever would have the lowest share: every cohort sends the best of its
 * queues and cohorts one level up.
 *
 * <p>Shares change with every admission, but only on the path of the queue that was served: how a
 * branch stands depends on what is used in it, and on who would come in addition. So the others
 * keep their places, and only that path is played again.
 */
public final class FairOrder {
  private final AdmissionRules rules;
  private final Map<QuotaNode, PriorityQueue<Entry>> byCohort = new LinkedHashMap<>();
  private final QuotaNode root;
  private Optional<CycleEntry> served = Optional.empty();

  /** Who stands for a branch of a cohort, and how the branch would stand with it. */
  private record Entry(CycleEntry contender, boolean borrows, Share share) {}

  /**
   * @param contenders of queues below one root, at least one; no two of one queue
   */
  public FairOrder(AdmissionRules rules, List<CycleEntry> contenders) {
    this.rules = rules;
    this.root = contenders.getFirst().node().root();
    enterAll(contenders);
  }

  private void enterAll(Collection<CycleEntry> contenders) {
    byCohort.clear();
    for (CycleEntry contender : contenders) {
      QuotaNode node = contender.node();
      QuotaNode cohort = node.parent();
      entries(cohort == null ? node : cohort).add(entry(contender, node));
    }
    root.cohorts().forEach(this::enterAll);
  }

  private void enterAll(QuotaNode cohort) {
    cohort.cohorts().forEach(this::enterAll);
    enter(cohort);
  }

  /** The next to serve, by what all before it got. */
  public Optional<CycleEntry> next() {
    served.ifPresent(this::leave);
    served = Optional.ofNullable(entries(root).peek()).map(Entry::contender);
    return served;
  }

  /** Who was served stood for every branch on the way up; somebody else does from now on. */
  private void leave(CycleEntry gone) {
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

  private List<CycleEntry> remaining() {
    var remaining = new ArrayList<CycleEntry>();
    byCohort.forEach((cohort, entries) ->
        entries.stream()
            .map(Entry::contender)
            .filter(one -> cohort.equals(one.node().parent()))
            .forEach(remaining::add));
    return remaining;
  }

  /** Sends the best of a cohort one level up. */
  private void enter(QuotaNode cohort) {
    QuotaNode above = cohort.parent();
    Entry best = entries(cohort).peek();
    if (above != null && best != null) {
      entries(above).add(entry(best.contender(), cohort));
    }
  }

  private PriorityQueue<Entry> entries(QuotaNode cohort) {
    return byCohort.computeIfAbsent(cohort, _ -> new PriorityQueue<>(this::compare));
  }

  private int compare(Entry one, Entry other) {
    CycleEntry mine = one.contender();
    CycleEntry theirs = other.contender();
    if (rules.preemptorsFirst() && mine.isPreemptor() != theirs.isPreemptor()) {
      return mine.isPreemptor() ? -1 : 1;
    }
    if (rules.ownQuotaFirst() && one.borrows() != other.borrows()) {
      return one.borrows() ? 1 : -1;
    }
    int byShare = one.share().compareTo(other.share());
    return byShare != 0 ? byShare : mine.item().compareTo(theirs.item());
  }

  private static Entry entry(CycleEntry contender, QuotaNode branch) {
    contender.node().add(contender.usage());
    boolean borrows = branch.borrowsAny(contender.usage());
    var entry = new Entry(contender, borrows, branch.share());
    contender.node().remove(contender.usage());
    return entry;
  }
}
