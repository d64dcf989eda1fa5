package dev.sluice.engine.scheduling.framework;

/**
 * Is told how far an attempt to find a node has come, so that somebody who has a clock can measure
 * it.
 */
public interface SchedulingObserver {

  /** For attempts that nobody measures. */
  SchedulingObserver NONE = _ -> {};

  /** A part of an attempt, by the name under which users of Kubernetes know it. */
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

  /** A part is done, and the next one begins. */
  void done(Step step);
}
