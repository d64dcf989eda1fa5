package dev.sluice.controllers.queueing.integration;

/** How far the stopping of a job is. */
public enum StopProgress {
  /** It ran until now, and was told to stop. */
  BEGUN,
  /** It was told before, and something of it still runs. */
  WAITING,
  /** Nothing of it runs, and it is as it was before its start. */
  DONE
}
