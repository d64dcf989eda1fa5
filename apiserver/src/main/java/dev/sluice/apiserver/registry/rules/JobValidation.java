package dev.sluice.apiserver.registry.rules;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Problems;
import dev.sluice.model.Syntax;
import dev.sluice.model.tree.Tree;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What is wrong with a job that has its defaults and its selector. */
final class JobValidation {
  private static final int MAX_MANAGED_BY = 63;

  /** What the Job controller of this version does not do, and what a user would call it. */
  private static final SortedMap<String, String> UNSUPPORTED = unsupported();

  private JobValidation() {}

  private static SortedMap<String, String> unsupported() {
    var fields = new TreeMap<String, String>();
    fields.put("podFailurePolicy", "pod failure policies");
    fields.put("successPolicy", "success policies");
    fields.put("backoffLimitPerIndex", "backoff limits per index");
    fields.put("maxFailedIndexes", "limits of failed indexes");
    fields.put("activeDeadlineSeconds", "deadlines of jobs");
    fields.put("ttlSecondsAfterFinished", "the removal of finished jobs");
    return Collections.unmodifiableSortedMap(fields);
  }

  static void check(ApiObject job, Problems problems) {
    Tree spec = job.spec();
    for (String field : List.of("parallelism", "completions", "backoffLimit")) {
      problems.notNegative("spec." + field, spec.whole(field).orElse(0));
    }
    checkSupported(spec, problems);
    checkManagedBy(spec.text("managedBy"), problems);
    checkTemplate(spec.tree("template"), problems);
    checkSelector(job, problems);
  }

  private static void checkSupported(Tree spec, Problems problems) {
    UNSUPPORTED.forEach((field, what) -> {
      if (spec.has(field)) {
        problems.forbidden("spec." + field, notYet(what));
      }
    });
    String mode = spec.text("completionMode");
    problems.oneOf("spec.completionMode", mode, List.of("Indexed", "NonIndexed"));
    if (mode.equals("Indexed")) {
      problems.forbidden("spec.completionMode", notYet("indexed jobs"));
    }
    String replacement = spec.text("podReplacementPolicy");
    problems.oneOf(
        "spec.podReplacementPolicy", replacement, List.of("Failed", "TerminatingOrFailed"));
    if (replacement.equals("Failed")) {
      problems.forbidden(
          "spec.podReplacementPolicy", notYet("waiting for a pod to fail before it is replaced"));
    }
  }

  private static String notYet(String what) {
    return "this version of Sluice does not support %s yet; remove the field to run the job"
        .formatted(what);
  }

  private static void checkManagedBy(String manager, Problems problems) {
    if (manager.isEmpty()) {
      return;
    }
    problems.invalidIf(Syntax.domainPathProblem(manager), "spec.managedBy", manager);
    if (manager.length() > MAX_MANAGED_BY) {
      problems.invalid("spec.managedBy", manager, "must be no more than 63 characters");
    }
  }

  private static void checkTemplate(Tree template, Problems problems) {
    problems.labels("spec.template.labels", template.texts("metadata", "labels"));
    String policy = template.text("spec", "restartPolicy");
    if (policy.equals("Always") || policy.isEmpty()) {
      problems.required(
          "spec.template.spec.restartPolicy", "valid values: \"OnFailure\", \"Never\"");
    }
    PodValidation.check("spec.template.spec", template.tree("spec"), problems);
  }

  private static void checkSelector(ApiObject job, Problems problems) {
    Tree spec = job.spec();
    Map<String, String> labels = spec.texts("template", "metadata", "labels");
    if (!spec.has("selector")) {
      problems.required("spec.selector", "");
      return;
    }
    Selectors.check("spec.selector", spec.tree("selector"), problems);
    if (!spec.flag("manualSelector")) {
      checkGenerated(job, labels, problems);
    }
    if (!Selectors.matches(spec.tree("selector"), labels)) {
      problems.invalid(
          "spec.template.metadata.labels",
          Tree.of(labels),
          "`selector` does not match template `labels`");
    }
  }

  private static void checkGenerated(ApiObject job, Map<String, String> labels, Problems problems) {
    var generated = new TreeMap<String, String>();
    generated.put(JobRules.CONTROLLER_UID, job.uid());
    generated.put(JobRules.OLD_CONTROLLER_UID, job.uid());
    generated.put(JobRules.JOB_NAME, job.name());
    generated.put(JobRules.OLD_JOB_NAME, job.name());
    generated.forEach((label, want) -> {
      String found = labels.getOrDefault(label, "");
      if (found.isEmpty()) {
        problems.required("spec.template.metadata.labels[" + label + "]", "must be '" + want + "'");
      } else if (!found.equals(want)) {
        problems.invalid(
            "spec.template.metadata.labels[" + label + "]", found, "must be '" + want + "'");
      }
    });
    if (!Selectors.matches(job.spec().tree("selector"), generated)) {
      problems.invalid(
          "spec.selector", job.spec().tree("selector"), "`selector` not auto-generated");
    }
  }
}
