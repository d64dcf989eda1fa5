package dev.sluice.controllers.queueing.integration;

import dev.sluice.model.kueue.PodSet;
import java.util.List;

/**
 * Why a job is stopped, and what it was before it started.
 *
 * @param original the pod sets before the start, empty if nobody knows them any more
 */
public record Stop(Reason reason, String message, List<PodSet> original) {

  /** The words stand in the conditions of pods that are stopped. */
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
