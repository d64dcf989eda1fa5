package dev.sluice.engine.preemption;

import dev.sluice.engine.preemption.MergedCandidates.Candidate;
import dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An iterator over the workloads that a preemptor may evict for one cause. Several searches may
 * share the underlying order, so each skips the workloads that are not candidates for it.
 */
final class CandidateIterator {
  private final PreemptionContext search;
  private final MergedCandidates all;
  private final PreemptionPolicy policy;
  private final Predicate<Candidate> among;
  private int place;
  private @Nullable Candidate first;
  private boolean known;

  /**
   * @param among which workloads are candidates here, if the policy allows them
   */
  CandidateIterator(
      PreemptionContext search,
      MergedCandidates all,
      PreemptionPolicy policy,
      Predicate<Candidate> among) {
    this.search = search;
    this.all = all;
    this.policy = policy;
    this.among = among;
  }

  /** The first candidate that was not passed yet; null if none is left. */
  @Nullable Candidate first() {
    if (!known) {
      first = find();
      known = true;
    }
    return first;
  }

  private @Nullable Candidate find() {
    Candidate next = all.at(place);
    while (next != null && !(search.mayTake(next.held(), policy) && among.test(next))) {
      if (search.sparesAllFrom(next.held(), policy)) {
        return null;
      }
      place++;
      next = all.at(place);
    }
    return next;
  }

  void pass() {
    place++;
    known = false;
  }
}
