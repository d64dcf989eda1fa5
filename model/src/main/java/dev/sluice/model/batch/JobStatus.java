package dev.sluice.model.batch;

import dev.sluice.model.Condition;
import dev.sluice.model.Timestamps;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The status of a Job. Zero counters are omitted where Kubernetes omits them, and written where it
 * writes them, since clients distinguish the two.
 */
public record JobStatus(Tree tree) {
  public static final String COMPLETE = "Complete";
  public static final String FAILED = "Failed";
  public static final String SUCCESS_CRITERIA_MET = "SuccessCriteriaMet";
  public static final String FAILURE_TARGET = "FailureTarget";
  public static final String SUSPENDED = "Suspended";

  private static final String UNCOUNTED = "uncountedTerminatedPods";

  /** The uids of pods that have finished and are not counted yet. */
  public record Uncounted(List<String> succeeded, List<String> failed) {
    public Uncounted {
      succeeded = List.copyOf(succeeded);
      failed = List.copyOf(failed);
    }

    public boolean isEmpty() {
      return succeeded.isEmpty() && failed.isEmpty();
    }
  }

  public boolean holds(String condition) {
    return Condition.holds(tree, condition);
  }

  public Optional<Tree> condition(String type) {
    return Condition.find(tree, type);
  }

  public Optional<Instant> started() {
    return Timestamps.parse(tree.text("startTime"));
  }

  public Optional<Instant> completed() {
    return Timestamps.parse(tree.text("completionTime"));
  }

  public long active() {
    return tree.whole("active").orElse(0);
  }

  public long ready() {
    return tree.whole("ready").orElse(0);
  }

  public long terminating() {
    return tree.whole("terminating").orElse(0);
  }

  public long succeeded() {
    return tree.whole("succeeded").orElse(0);
  }

  public long failed() {
    return tree.whole("failed").orElse(0);
  }

  /** The indexes of an Indexed Job that succeeded, such as {@code 0,2-5}. */
  public String completedIndexes() {
    return tree.text("completedIndexes");
  }

  /** The indexes of an Indexed Job that failed for good, such as {@code 1,6-7}. */
  public String failedIndexes() {
    return tree.text("failedIndexes");
  }

  public Uncounted uncounted() {
    return new Uncounted(
        tree.textItems(UNCOUNTED, "succeeded"), tree.textItems(UNCOUNTED, "failed"));
  }

  public JobStatus withStarted(Instant time) {
    return new JobStatus(tree.with("startTime", Timestamps.format(time)));
  }

  public JobStatus withoutStarted() {
    return new JobStatus(tree.without("startTime"));
  }

  public JobStatus withCompleted(Instant time) {
    return new JobStatus(tree.with("completionTime", Timestamps.format(time)));
  }

  /** With the counts of active, ready and terminating pods. */
  public JobStatus withLiving(long active, long ready, long terminating) {
    return counter("active", active).with("ready", ready).with("terminating", terminating);
  }

  /** With the counts of succeeded and failed pods. */
  public JobStatus withCounted(long succeeded, long failed) {
    return counter("succeeded", succeeded).counter("failed", failed);
  }

  /** With the indexes that succeeded. */
  public JobStatus withCompletedIndexes(Indexes indexes) {
    return new JobStatus(
        indexes.isEmpty()
            ? tree.without("completedIndexes")
            : tree.with("completedIndexes", indexes.text()));
  }

  /**
   * With the indexes that failed for good; written even if there are none, where indexes can fail.
   */
  public JobStatus withFailedIndexes(Indexes indexes) {
    return with("failedIndexes", indexes.text());
  }

  public JobStatus withUncounted(Uncounted uncounted) {
    Tree lists = Tree.EMPTY;
    lists =
        uncounted.succeeded().isEmpty() ? lists : lists.with("succeeded", uncounted.succeeded());
    lists = uncounted.failed().isEmpty() ? lists : lists.with("failed", uncounted.failed());
    return with(UNCOUNTED, lists);
  }

  /** With a condition in place of the one of its type, from now on. */
  public JobStatus withCondition(Condition condition, Instant now) {
    String time = Timestamps.format(now);
    Tree entry =
        Tree.of(
            "type",
            condition.type(),
            "status",
            condition.holds() ? "True" : "False",
            "reason",
            condition.reason(),
            "message",
            condition.message(),
            "lastProbeTime",
            time,
            "lastTransitionTime",
            time);
    var conditions = new ArrayList<Tree>(tree.trees("conditions"));
    Optional<Tree> before = condition(condition.type());
    if (before.isPresent()) {
      conditions.set(conditions.indexOf(before.get()), entry);
    } else {
      conditions.add(entry);
    }
    return with("conditions", Items.of(conditions));
  }

  private JobStatus counter(String name, long count) {
    return new JobStatus(count == 0 ? tree.without(name) : tree.with(name, count));
  }

  private JobStatus with(String name, Object value) {
    return new JobStatus(tree.with(name, value));
  }
}
