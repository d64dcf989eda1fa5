package dev.sluice.controllers.jobs;

/** The action for a pod that has the finalizer and is in no list of the status. */
enum UncountedPod {
  STAY,
  GO,
  COUNT_SUCCEEDED,
  COUNT_FAILED
}
