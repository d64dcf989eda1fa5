package dev.sluice.engine.preemption;

import dev.sluice.engine.queue.QuotaReservation;

/** A workload that must give way, and by which right. */
public record Target(QuotaReservation victim, Cause cause) {

  /** The right by which a workload is evicted for another. */
  public enum Cause {
    IN_CLUSTER_QUEUE("InClusterQueue", "prioritization in the ClusterQueue"),
    IN_COHORT_RECLAMATION("InCohortReclamation", "reclamation within the cohort"),
    IN_COHORT_FAIR_SHARING("InCohortFairSharing", "Fair Sharing within the cohort"),
    IN_COHORT_RECLAIM_WHILE_BORROWING(
        "InCohortReclaimWhileBorrowing", "reclamation within the cohort while borrowing"),
    /** Not for the quota: the same job is to run on a better flavor. */
    FLAVOR_MIGRATION("FlavorMigration", "migration to a more favorable resource flavor");

    private final String word;
    private final String text;

    Cause(String word, String text) {
      this.word = word;
      this.text = text;
    }

    /** The reason of the condition {@code Preempted}. */
    public String word() {
      return word;
    }

    /** What a person is told. */
    public String text() {
      return text;
    }
  }
}
