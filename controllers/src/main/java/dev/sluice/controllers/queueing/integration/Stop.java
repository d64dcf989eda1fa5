package dev.sluice.controllers.queueing.integration;

import dev.sluice.model.kueue.PodSet;
import java.util.List;

/**
 * The reason to stop a job, and its original pod sets.
 *
 * @param original the pod sets before the start; empty if they are not known
 */
public record Stop(Reason reason, String message, List<PodSet> original) {

  /** The reasons, whose words are those of the condition TerminationTarget of stopped pods. */
  public enum Reason {
    WORKLOAD_DELETED("WorkloadDeleted"),
    WORKLOAD_EVICTED("WorkloadEvicted"),
    NO_MATCHING_WORKLOAD("NoMatchingWorkload"),
    NOT_ADMITTED("NotAdmitted");

    private final String word;

    Reason(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }
  }

  public Stop {
    original = List.copyOf(original);
  }
}
