package dev.sluice.model.batch;

import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** A pod of a Job: its index, and how it failed. */
public record JobPod(Pod pod) {
  /** The index of a pod, as an annotation and as a label. */
  public static final String INDEX = "batch.kubernetes.io/job-completion-index";

  /** The number of earlier failed pods of the index. */
  public static final String FAILURES = "batch.kubernetes.io/job-index-failure-count";

  /** The number of earlier failed pods of the index that do not count. */
  public static final String IGNORED_FAILURES =
      "batch.kubernetes.io/job-index-ignored-failure-count";

  /** Its index; empty if it has none or an invalid one. */
  public OptionalLong index() {
    OptionalLong index = number(INDEX);
    return index.isPresent() && index.getAsLong() <= Integer.MAX_VALUE
        ? index
        : OptionalLong.empty();
  }

  public long failures() {
    return number(FAILURES).orElse(0);
  }

  public long ignoredFailures() {
    return number(IGNORED_FAILURES).orElse(0);
  }

  /** A container that failed. */
  public record FailedContainer(String name, long exitCode) {}

  /** The containers that ended with a non-zero exit code, regular containers first. */
  public List<FailedContainer> failedContainers() {
    var failed = new ArrayList<FailedContainer>();
    for (String list : List.of("containerStatuses", "initContainerStatuses")) {
      for (Tree status : pod.object().status().trees(list)) {
        long exitCode = status.whole("state", "terminated", "exitCode").orElse(0);
        if (exitCode != 0) {
          failed.add(new FailedContainer(status.text("name"), exitCode));
        }
      }
    }
    return failed;
  }

  /** Its conditions, in their order. */
  public List<FailureRule.Pattern> conditions() {
    return pod.object().status().trees("conditions").stream()
        .map(condition -> new FailureRule.Pattern(condition.text("type"), condition.text("status")))
        .toList();
  }

  private OptionalLong number(String annotation) {
    String text = pod.object().annotation(annotation);
    boolean number =
        !text.isEmpty() && text.length() <= 10 && text.chars().allMatch(JobPod::isDigit);
    return number ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }
}
