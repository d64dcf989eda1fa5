package dev.sluice.apiserver.registry.rules.batch;

import static dev.sluice.apiserver.registry.rules.Edits.each;
import static dev.sluice.apiserver.registry.rules.Edits.inside;
import static dev.sluice.apiserver.registry.rules.Edits.orElse;
import static dev.sluice.apiserver.registry.rules.Edits.orIfEmpty;

import dev.sluice.apiserver.registry.rules.KindRules;
import dev.sluice.apiserver.registry.rules.pod.PodDefaults;
import dev.sluice.apiserver.registry.rules.pod.PodWarnings;
import dev.sluice.model.ApiObject;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The rules of Jobs. The server generates a Job's selector from its uid, so that no two Jobs select
 * the same pods, unless {@code manualSelector} is set.
 */
public final class JobRules implements KindRules {
  static final String CONTROLLER_UID = "batch.kubernetes.io/controller-uid";
  static final String JOB_NAME = "batch.kubernetes.io/job-name";
  static final String OLD_CONTROLLER_UID = "controller-uid";
  static final String OLD_JOB_NAME = "job-name";
  private static final List<String> TEMPLATE_LABELS =
      List.of("spec", "template", "metadata", "labels");
  private static final int BACKOFF_LIMIT = 6;
  private static final long MANY_COMPLETIONS = 100_000;
  private static final long MANY_AT_ONCE = 10_000;

  @Override
  public Tree validated(ApiObject job) {
    return job.spec();
  }

  @Override
  public ApiObject withDefaults(ApiObject job) {
    Tree spec = job.spec();
    if (!spec.has("completions") && !spec.has("parallelism")) {
      spec = spec.with("completions", 1);
    }
    spec = orElse(spec, "parallelism", 1);
    boolean perIndex = spec.has("backoffLimitPerIndex");
    spec = orElse(spec, "backoffLimit", perIndex ? Integer.MAX_VALUE : BACKOFF_LIMIT);
    spec = orElse(spec, "completionMode", "NonIndexed");
    spec = orElse(spec, "suspend", false);
    spec = orElse(spec, "manualSelector", false);
    boolean policy = spec.has("podFailurePolicy");
    spec = orElse(spec, "podReplacementPolicy", policy ? "Failed" : "TerminatingOrFailed");
    spec = inside(spec, "podFailurePolicy", JobRules::withConditionDefaults);
    spec = inside(spec, "template", t -> inside(t, "spec", PodDefaults::template));
    return job.withSpec(spec);
  }

  private static Tree withConditionDefaults(Tree policy) {
    return each(
        policy,
        "rules",
        rule -> each(rule, "onPodConditions", pattern -> orIfEmpty(pattern, "status", "True")));
  }

  @Override
  public ApiObject onCreate(ApiObject job, Instant now) {
    return withTemplateLabels(job.spec().flag("manualSelector") ? job : withGeneratedSelector(job));
  }

  @Override
  public ApiObject onUpdate(ApiObject before, ApiObject after, Instant now) {
    return withTemplateLabels(after);
  }

  private static ApiObject withGeneratedSelector(ApiObject job) {
    Tree labels = job.tree().tree(TEMPLATE_LABELS.toArray(String[]::new));
    labels = orElse(labels, OLD_JOB_NAME, job.name());
    labels = orElse(labels, JOB_NAME, job.name());
    labels = orElse(labels, OLD_CONTROLLER_UID, job.uid());
    labels = orElse(labels, CONTROLLER_UID, job.uid());
    Tree chosen = orElse(job.spec().tree("selector", "matchLabels"), CONTROLLER_UID, job.uid());
    return job.with(TEMPLATE_LABELS, labels)
        .with(List.of("spec", "selector", "matchLabels"), chosen);
  }

  /** A Job without labels gets those of its pod template. */
  private static ApiObject withTemplateLabels(ApiObject job) {
    Tree labels = job.tree().tree(TEMPLATE_LABELS.toArray(String[]::new));
    return job.labels().isEmpty() && !labels.isEmpty() ? job.withMetadata("labels", labels) : job;
  }

  @Override
  public void check(ApiObject job, ValidationErrors problems) {
    JobValidation.check(job, problems);
  }

  @Override
  public void checkUpdate(ApiObject before, ApiObject after, ValidationErrors problems) {
    Tree old = before.spec();
    Tree current = after.spec();
    for (String field :
        List.of(
            "selector",
            "completionMode",
            "podFailurePolicy",
            "successPolicy",
            "backoffLimitPerIndex",
            "managedBy")) {
      problems.immutable("spec." + field, old.at(field), current.at(field));
    }
    checkCompletions(old, current, problems);
    JobTemplateUpdates.check(before, after, problems);
  }

  /** An Indexed Job may be resized if parallelism equals completions. */
  private static void checkCompletions(Tree old, Tree current, ValidationErrors problems) {
    Value completions = current.at("completions");
    if (!current.text("completionMode").equals("Indexed")) {
      problems.immutable("spec.completions", old.at("completions"), completions);
    } else if (current.has("completions")
        && !completions.equals(old.at("completions"))
        && !completions.equals(current.at("parallelism"))) {
      problems.invalid(
          "spec.completions", completions, "can only be modified in tandem with spec.parallelism");
    }
  }

  @Override
  public void checkStatus(ApiObject before, ApiObject after, ValidationErrors problems) {
    new JobStatusValidation(before, after, problems).check();
  }

  @Override
  public List<String> warnings(ApiObject job) {
    var warnings = new ArrayList<String>();
    PodWarnings.ofName(job.name(), "Pod names and hostnames").ifPresent(warnings::add);
    warnings.addAll(specWarnings("spec", job.spec()));
    return warnings;
  }

  @Override
  public List<String> updateWarnings(ApiObject before, ApiObject after) {
    return before.spec().equals(after.spec()) ? List.of() : specWarnings("spec", after.spec());
  }

  static List<String> specWarnings(String field, Tree spec) {
    var warnings = new ArrayList<String>();
    if (spec.text("completionMode").equals("Indexed")
        && spec.whole("completions").orElse(0) > MANY_COMPLETIONS
        && spec.whole("parallelism").orElse(0) > MANY_AT_ONCE) {
      warnings.add(
          field
              + ": In Indexed Jobs with a number of completions higher than 10^5 and a parallelism"
              + " higher than 10^4, Kubernetes might not be able to track completedIndexes when a"
              + " big number of indexes fail");
    }
    warnings.addAll(PodWarnings.of(field + ".template", spec.tree("template")));
    return warnings;
  }
}
