package dev.sluice.engine.preemption;

import dev.sluice.engine.preemption.MergedCandidates.Candidate;
import dev.sluice.model.kueue.ClusterQueue.PreemptionPolicy;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Whom a search may take by one right, one after the other. The order may be that of many searches;
 * each passes over those who are not for it.
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
   * @param among who is in the lane, if the policy allows it
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

  /** The first who has not been passed; null if nobody is left. */
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
