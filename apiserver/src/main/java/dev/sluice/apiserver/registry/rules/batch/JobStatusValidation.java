package dev.sluice.apiserver.registry.rules.batch;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Timestamps;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.batch.Indexes;
import dev.sluice.model.tree.Tree;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * The validation of updates of a Job's status, by the Job controller or by the one in {@code
 * managedBy}. Most checks cover only fields that the update changes, so that an old mistake does
 * not block an unrelated update.
 */
final class JobStatusValidation {
  private static final List<String> COUNTERS =
      List.of("active", "ready", "terminating", "succeeded", "failed");

  private final ApiObject job;
  private final Tree old;
  private final Tree current;
  private final ValidationErrors problems;

  JobStatusValidation(ApiObject before, ApiObject after, ValidationErrors problems) {
    this.job = after;
    this.old = before.status();
    this.current = after.status();
    this.problems = problems;
  }

  void check() {
    checkCounters();
    checkUncounted();
    checkConditionsStay();
    checkConditionsAgree();
    checkCompletionTime();
    checkFinished();
    checkStartTime();
    checkIndexes();
  }

  private boolean indexed() {
    return job.spec().text("completionMode").equals("Indexed");
  }

  private void checkCounters() {
    for (String counter : COUNTERS) {
      problems.notNegative("status." + counter, current.whole(counter).orElse(0));
    }
    // An elastic Indexed Job may have been scaled down.
    boolean elastic =
        indexed() && job.spec().at("completions").equals(job.spec().at("parallelism"));
    for (String counter : elastic ? List.of("failed") : List.of("failed", "succeeded")) {
      long value = current.whole(counter).orElse(0);
      if (value < old.whole(counter).orElse(0)) {
        problems.invalid("status." + counter, value, "cannot decrease the " + counter + " counter");
      }
    }
    long ready = current.whole("ready").orElse(0);
    if (changed("ready", "active") && ready > current.whole("active").orElse(0)) {
      problems.invalid("status.ready", ready, "cannot set more ready pods than active");
    }
  }

  private void checkUncounted() {
    var seen = new TreeSet<String>();
    for (String list : List.of("succeeded", "failed")) {
      List<String> uids = current.textItems("uncountedTerminatedPods", list);
      for (int i = 0; i < uids.size(); i++) {
        String at = "status.uncountedTerminatedPods.%s[%d]".formatted(list, i);
        if (uids.get(i).isEmpty()) {
          problems.invalid(at, "", "must not be empty");
        } else if (!seen.add(uids.get(i))) {
          problems.duplicate(at, uids.get(i));
        }
      }
    }
  }

  private void checkConditionsStay() {
    for (String type : List.of("Failed", "Complete", "FailureTarget")) {
      if (held(type) && !holds(type)) {
        conditionProblem("cannot disable the terminal %s=True condition".formatted(type));
      }
    }
    if (held("SuccessCriteriaMet") && !holds("SuccessCriteriaMet")) {
      conditionProblem("cannot disable the SuccessCriteriaMet=True condition");
    }
    if (held("Complete") && !held("SuccessCriteriaMet") && holds("SuccessCriteriaMet")) {
      conditionProblem(
          "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions");
    }
  }

  private void checkConditionsAgree() {
    boolean failure = turned("Failed") || changed("failedIndexes");
    if (failure && holds("Failed") && !holds("FailureTarget")) {
      conditionProblem("cannot set Failed=True condition without the FailureTarget=true condition");
    }
    boolean success = turned("Complete") || turned("SuccessCriteriaMet");
    if (success && holds("Complete") && !holds("SuccessCriteriaMet")) {
      conditionProblem(
          "cannot set Complete=True condition without the SuccessCriteriaMet=true condition");
    }
    exclude("Complete", "Failed", turned("Complete") || turned("Failed"));
    exclude("Complete", "FailureTarget", turned("Complete") || turned("FailureTarget"));
    exclude("SuccessCriteriaMet", "Failed", true);
    exclude("SuccessCriteriaMet", "FailureTarget", true);
  }

  private void exclude(String one, String other, boolean applies) {
    if (applies && holds(one) && holds(other)) {
      conditionProblem("cannot set %s=True and %s=true conditions".formatted(one, other));
    }
  }

  private void conditionProblem(String why) {
    problems.invalid("status.conditions", why);
  }

  private void checkCompletionTime() {
    String time = current.text("completionTime");
    boolean either = turned("Complete") || changed("completionTime");
    if (either && holds("Complete") && time.isEmpty()) {
      problems.required("status.completionTime", "completionTime is required for Complete jobs");
    }
    if (either && !holds("Complete") && !time.isEmpty()) {
      problems.invalid(
          "status.completionTime",
          time,
          "cannot set completionTime when there is no Complete=True condition");
    }
    Optional<Instant> start = Timestamps.parse(current.text("startTime"));
    Optional<Instant> end = Timestamps.parse(time);
    boolean times = changed("completionTime", "startTime");
    if (times && start.isPresent() && end.isPresent() && end.get().isBefore(start.get())) {
      problems.invalid("status.completionTime", time, "must be equal to or after `startTime`");
    }
    if (!old.text("completionTime").isEmpty() && !time.isEmpty() && changed("completionTime")) {
      problems.invalid("status.completionTime", time, "field is immutable");
    }
  }

  private void checkFinished() {
    if (!holds("Complete") && !holds("Failed")) {
      return;
    }
    Tree spec = job.spec();
    boolean neverRan = spec.flag("suspend") && spec.whole("completions").orElse(1) == 0;
    if (finishes("startTime") && !current.has("startTime") && !neverRan) {
      problems.required("status.startTime", "startTime is required for finished job");
    }
    for (String counter : List.of("active", "terminating")) {
      long value = current.whole(counter).orElse(0);
      if (finishes(counter) && value > 0) {
        problems.invalid("status." + counter, value, counter + ">0 is invalid for finished job");
      }
    }
    Tree uncounted = current.tree("uncountedTerminatedPods");
    boolean left = !uncounted.items("succeeded").isEmpty() || !uncounted.items("failed").isEmpty();
    if (finishes("uncountedTerminatedPods") && left) {
      problems.invalid(
          "status.uncountedTerminatedPods", uncounted, "must be empty for finished job");
    }
  }

  /** Whether this update finishes the Job, or changes the field of a finished Job. */
  private boolean finishes(String field) {
    return turned("Complete") || turned("Failed") || changed(field);
  }

  private void checkStartTime() {
    boolean resumes = held("Suspended") && isFalse("Suspended");
    boolean wasSet = !old.text("startTime").isEmpty();
    if (changed("startTime") && wasSet && !job.spec().flag("suspend") && !resumes) {
      problems.invalid(
          "status.startTime",
          current.at("startTime"),
          "field is immutable for unsuspended job once set");
    }
  }

  private boolean isFalse(String type) {
    return Condition.find(current, type).filter(c -> c.text("status").equals("False")).isPresent();
  }

  private void checkIndexes() {
    OptionalLong completions = job.spec().whole("completions");
    if (completions.isPresent() && changed("completedIndexes", "failedIndexes")) {
      checkLists(completions.getAsLong());
    }
    String completed = current.text("completedIndexes");
    if (changed("completedIndexes") && !completed.isEmpty() && !indexed()) {
      problems.invalid(
          "status.completedIndexes",
          completed,
          "cannot set non-empty completedIndexes when non-indexed completion mode");
    }
    boolean perIndex = job.spec().has("backoffLimitPerIndex");
    if (changed("failedIndexes") && current.has("failedIndexes") && !perIndex) {
      problems.invalid(
          "status.failedIndexes",
          current.text("failedIndexes"),
          "cannot set non-null failedIndexes when backoffLimitPerIndex is null");
    }
  }

  private void checkLists(long completions) {
    if (changed("completedIndexes")) {
      checkList("completedIndexes", completions);
    }
    if (changed("failedIndexes") && job.spec().has("backoffLimitPerIndex")) {
      checkList("failedIndexes", completions);
    }
    checkOverlap(current.text("completedIndexes"), current.text("failedIndexes"), completions);
  }

  private void checkList(String name, long completions) {
    String text = current.text(name);
    String problem = IndexList.of(text, completions).problem();
    problems.invalidIf(
        problem.isEmpty() ? "" : "error parsing %s: %s".formatted(name, problem),
        "status." + name,
        text);
  }

  private void checkOverlap(String completed, String failed, long completions) {
    Indexes shared =
        Indexes.parse(completed, completions).shared(Indexes.parse(failed, completions));
    if (!shared.isEmpty()) {
      problems.invalid(
          "status.failedIndexes",
          failed,
          "failedIndexes and completedIndexes overlap at index: "
              + shared.runs().getFirst().first());
    }
  }

  private boolean held(String type) {
    return Condition.holds(old, type);
  }

  private boolean holds(String type) {
    return Condition.holds(current, type);
  }

  private boolean turned(String type) {
    return held(type) != holds(type);
  }

  private boolean changed(String... fields) {
    for (String field : fields) {
      if (!old.at(field).equals(current.at(field))) {
        return true;
      }
    }
    return false;
  }
}
