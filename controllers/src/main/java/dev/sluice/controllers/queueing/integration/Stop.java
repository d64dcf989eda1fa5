package dev.sluice.controllers.queueing.integration;

import dev.sluice.model.kueue.PodSet;
import java.util.List;

/**
 * The reason to stop a job, and its original pod sets.
 *
 * @param eviction the reason of the eviction that stops the job; empty if there is none
 * @param original the pod sets before the start; empty if they are not known
 */
public record Stop(Reason reason, String eviction, String message, List<PodSet> original) {

  /** The reasons, in the words of Kueue. */
  public enum Reason {
    WORKLOAD_DELETED("WorkloadDeleted"),
    WORKLOAD_EVICTED("WorkloadEvicted"),
    NO_MATCHING_WORKLOAD("NoMatchingWorkload"),
    NOT_ADMITTED("NotAdmitted");

    private final String word;

    Reason(String word) {
      this.word = word;
    }
  }

  public Stop {
    original = List.copyOf(original);
  }

  /** The reason in the condition TerminationTarget of stopped pods. */
  public String word() {
    return eviction.isEmpty() ? reason.word : reason.word + "DueTo" + eviction;
  }
}
