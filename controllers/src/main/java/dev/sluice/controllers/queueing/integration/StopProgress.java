package dev.sluice.controllers.queueing.integration;

/** The progress of stopping a job. */
public enum StopProgress {
  /** The job was running; stopping has begun. */
  BEGUN,
  /** Stopping began earlier, and pods still run. */
  WAITING,
  /** No pod runs, and the job is as it was before its start. */
  DONE
}
