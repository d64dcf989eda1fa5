package dev.sluice.engine.admission.cycle;

import dev.sluice.engine.admission.pending.PendingEntry;

/** A thing with a rank in {@link ClassicalOrder}: an entry of a cycle, or what a queue may send. */
public interface Ranked {

  /** Whether it comes before all that are not, where preemptors come first. */
  boolean isPreemptor();

  /** How far up the cohort tree it borrows; 0 if it stays within the quota of its queue. */
  int level();

  /** The workload that it stands for. */
  PendingEntry entry();

  /** The priority of its workload. */
  long priority();

  /** Since when its workload is pending, in whole seconds. */
  long seconds();
}
