package dev.sluice.engine.admission.cycle;

import dev.sluice.engine.admission.pending.PendingQueue;
import dev.sluice.engine.quota.QuotaNode;
import dev.sluice.engine.quota.Usage;

/** The head of a queue that takes part in an admission cycle, with what is known of it. */
public interface CycleEntry extends Ranked {

  /** The queue whose head it is. */
  PendingQueue queue();

  /** What it would use. */
  Usage usage();

  /** Whether it fits, but only into what other queues lend. */
  boolean borrowsAtOnce();

  /**
   * Its nomination, now that the entries before it are processed.
   *
   * @param reserves the quota that those entries keep from it
   */
  Turn turn(Reserves reserves);

  /** Whether it asks for quota of its own queue, which reclaims what it lent. */
  default boolean reclaimsOwnQuota() {
    return level() == 0 && queue().spec().reclaimsFromAll();
  }

  default QuotaNode node() {
    return queue().node();
  }

  @Override
  default boolean isPreemptor() {
    return queue().isPreemptor(entry());
  }

  @Override
  default long priority() {
    return entry().priority();
  }

  @Override
  default long seconds() {
    return entry().seconds();
  }
}
