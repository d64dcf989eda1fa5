package dev.sluice.engine.preemption;

import dev.sluice.engine.queue.QuotaReservation;

/** A victim, and the cause of its preemption. */
public record Target(QuotaReservation victim, Cause cause) {

  /** The reason for which a workload is preempted for another. */
  public enum Cause {
    IN_CLUSTER_QUEUE("InClusterQueue", "prioritization in the ClusterQueue"),
    IN_COHORT_RECLAMATION("InCohortReclamation", "reclamation within the cohort"),
    IN_COHORT_FAIR_SHARING("InCohortFairSharing", "Fair Sharing within the cohort"),
    IN_COHORT_RECLAIM_WHILE_BORROWING(
        "InCohortReclaimWhileBorrowing", "reclamation within the cohort while borrowing"),
    /** Not for quota: the same job is to run on a better flavor. */
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

    /** The words of the cause in the condition's message. */
    public String text() {
      return text;
    }
  }
}
