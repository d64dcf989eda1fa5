package dev.sluice.engine.scheduling.framework;

/**
 * An observer of scheduling attempts, notified after each step, so that a caller with a clock can
 * measure the durations.
 */
public interface SchedulingObserver {

  /** An observer for attempts that are not measured. */
  SchedulingObserver NONE = _ -> {};

  /** A step of an attempt, by its name in kube-scheduler's metrics. */
  enum Step {
    PRE_FILTER("PreFilter"),
    FILTER("Filter"),
    SCORE("Score"),
    POST_FILTER("PostFilter");

    private final String word;

    Step(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }
  }

  /** A step is done, and the next one begins. */
  void done(Step step);
}
