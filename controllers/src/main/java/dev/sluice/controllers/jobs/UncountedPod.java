package dev.sluice.controllers.jobs;

/** What becomes of a pod that holds the finalizer and is in no list of the status. */
enum UncountedPod {
  STAY,
  GO,
  COUNT_SUCCEEDED,
  COUNT_FAILED
}
