package dev.sluice.model.batch;

import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** One rule of a Job's {@code podFailurePolicy}. */
public record FailureRule(Tree tree) {

  /** The action for a pod that matches the rule. */
  public enum Action {
    /** It counts as it would without a rule. */
    COUNT,
    /** It counts, and its index has failed for good. */
    FAIL_INDEX,
    /** The Job fails. */
    FAIL_JOB,
    /** It does not count. */
    IGNORE
  }

  /** A condition of pods, by its type and status. */
  public record Pattern(String type, String status) {}

  public Action action() {
    return switch (tree.text("action")) {
      case "FailIndex" -> Action.FAIL_INDEX;
      case "FailJob" -> Action.FAIL_JOB;
      case "Ignore" -> Action.IGNORE;
      default -> Action.COUNT;
    };
  }

  public boolean looksAtExitCodes() {
    return tree.has("onExitCodes");
  }

  /** The container whose exit code is checked; empty for any. */
  public String containerName() {
    return tree.text("onExitCodes", "containerName");
  }

  /** Whether a non-zero exit code matches the rule. */
  public boolean isAbout(long exitCode) {
    return exitCodes().contains(exitCode) == tree.text("onExitCodes", "operator").equals("In");
  }

  private SortedSet<Long> exitCodes() {
    var codes = new TreeSet<Long>();
    for (Value value : tree.items("onExitCodes", "values")) {
      if (value instanceof Value.Whole(long code)) {
        codes.add(code);
      }
    }
    return codes;
  }

  public List<Pattern> conditions() {
    return tree.trees("onPodConditions").stream()
        .map(pattern -> new Pattern(pattern.text("type"), pattern.text("status")))
        .toList();
  }
}
