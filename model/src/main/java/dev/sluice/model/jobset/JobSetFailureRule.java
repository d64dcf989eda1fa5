package dev.sluice.model.jobset;

import dev.sluice.model.tree.Tree;
import java.util.List;

/** A rule of the failure policy of a JobSet: what to do when some Jobs fail for some reasons. */
public record JobSetFailureRule(Tree tree) {

  /** What happens when a rule matches. */
  public enum Action {
    FAIL_JOB_SET("FailJobSet"),
    RESTART_JOB_SET("RestartJobSet"),
    RESTART_JOB_SET_AND_IGNORE_MAX_RESTARTS("RestartJobSetAndIgnoreMaxRestarts");

    private final String word;

    Action(String word) {
      this.word = word;
    }

    /** Its name in the API. */
    public String word() {
      return word;
    }

    /** The action of a name; the default for a name that the schema does not have. */
    static Action of(String word) {
      for (Action action : values()) {
        if (action.word.equals(word)) {
          return action;
        }
      }
      return RESTART_JOB_SET;
    }
  }

  public String name() {
    return tree.text("name");
  }

  public Action action() {
    return Action.of(tree.text("action"));
  }

  /** The reasons of failed Jobs that it matches; empty for all. */
  public List<String> reasons() {
    return tree.textItems("onJobFailureReasons");
  }

  /** The patterns of messages of failed Jobs that it matches; empty for all. */
  public List<String> messagePatterns() {
    return tree.textItems("onJobFailureMessagePatterns");
  }

  /** The replicated jobs whose Jobs it matches; empty for all. */
  public List<String> targets() {
    return tree.textItems("targetReplicatedJobs");
  }
}
