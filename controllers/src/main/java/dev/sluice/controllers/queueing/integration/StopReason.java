package dev.sluice.controllers.queueing.integration;

/** Why a job is stopped; the words stand in the conditions of pods. */
enum StopReason {
  WORKLOAD_DELETED("WorkloadDeleted"),
  WORKLOAD_EVICTED("WorkloadEvicted"),
  NO_MATCHING_WORKLOAD("NoMatchingWorkload"),
  NOT_ADMITTED("NotAdmitted");

  private final String word;

  StopReason(String word) {
    this.word = word;
  }

  String word() {
    return word;
  }
}
