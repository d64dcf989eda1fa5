package dev.sluice.apiserver.registry.rules.batch;

import dev.sluice.apiserver.registry.rules.pod.PodValidation;
import dev.sluice.model.ApiObject;
import dev.sluice.model.LabelSelector;
import dev.sluice.model.NameSyntax;
import dev.sluice.model.SelectorValidation;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The validation of a Job that has its defaults and its selector. */
final class JobValidation {
  private static final int MAX_MANAGED_BY = 63;
  private static final List<String> MODES = List.of("Indexed", "NonIndexed");
  private static final List<String> REPLACEMENTS = List.of("Failed", "TerminatingOrFailed");
  private static final List<String> NOT_NEGATIVE =
      List.of(
          "parallelism",
          "completions",
          "activeDeadlineSeconds",
          "backoffLimit",
          "ttlSecondsAfterFinished",
          "backoffLimitPerIndex",
          "maxFailedIndexes");

  private JobValidation() {}

  static void check(ApiObject job, ValidationErrors problems) {
    checkSpec("spec", job.spec(), problems);
    checkHostnames(job, problems);
    checkSelector(job, problems);
  }

  /** Validates the spec of a Job, or of a Job template, except its selector. */
  static void checkSpec(String field, Tree spec, ValidationErrors problems) {
    for (String name : NOT_NEGATIVE) {
      problems.notNegative(field + "." + name, spec.whole(name).orElse(0));
    }
    checkManagedBy(field + ".managedBy", spec, problems);
    problems.oneOf(field + ".completionMode", orElse(spec, "completionMode", "NonIndexed"), MODES);
    JobIndexValidation.check(field, spec, problems);
    JobPolicyValidation.check(field, spec, problems);
    boolean policy = spec.has("podFailurePolicy");
    problems.oneOf(
        field + ".podReplacementPolicy",
        orElse(spec, "podReplacementPolicy", "Failed"),
        policy ? List.of("Failed") : REPLACEMENTS);
    checkTemplate(field + ".template", spec.tree("template"), policy, problems);
  }

  private static String orElse(Tree spec, String name, String otherwise) {
    return spec.has(name) ? spec.text(name) : otherwise;
  }

  private static void checkManagedBy(String field, Tree spec, ValidationErrors problems) {
    if (!spec.has("managedBy")) {
      return;
    }
    String manager = spec.text("managedBy");
    if (manager.isEmpty()) {
      problems.required(field, "");
      return;
    }
    problems.invalidIf(NameSyntax.domainPathProblem(manager), field, manager);
    problems.atMostBytes(field, manager.length(), MAX_MANAGED_BY);
  }

  private static void checkTemplate(
      String field, Tree template, boolean failurePolicy, ValidationErrors problems) {
    problems.labels(field + ".labels", template.texts("metadata", "labels"));
    PodValidation.check(field + ".spec", template.tree("spec"), problems);
    String policy = template.text("spec", "restartPolicy");
    String at = field + ".spec.restartPolicy";
    if (policy.equals("Always") || policy.isEmpty()) {
      problems.required(at, "valid values: \"OnFailure\", \"Never\"");
    } else if (policy.equals("OnFailure") && failurePolicy) {
      problems.invalid(
          at, policy, "only \"Never\" is supported when podFailurePolicy is specified");
    }
  }

  /** Validates the hostnames of an Indexed Job's pods: the name of the Job and the index. */
  private static void checkHostnames(ApiObject job, ValidationErrors problems) {
    long completions = job.spec().whole("completions").orElse(0);
    if (!job.spec().text("completionMode").equals("Indexed") || completions <= 0) {
      return;
    }
    String longest = job.name() + "-" + (completions - 1);
    if (!NameSyntax.labelProblem(longest).isEmpty()) {
      problems.invalid(
          "metadata.name",
          job.name(),
          "will not able to create pod with invalid DNS label: " + longest);
    }
  }

  private static void checkSelector(ApiObject job, ValidationErrors problems) {
    Tree spec = job.spec();
    Map<String, String> labels = spec.texts("template", "metadata", "labels");
    boolean chosen = spec.has("selector");
    if (chosen) {
      SelectorValidation.check("spec.selector", spec.tree("selector"), problems);
    } else {
      problems.required("spec.selector", "");
    }
    if (chosen && !spec.flag("manualSelector")) {
      checkGenerated(job, labels, problems);
    }
    if (!chosen || !new LabelSelector(spec.tree("selector")).matches(labels)) {
      problems.invalid(
          "spec.template.metadata.labels",
          Tree.of(labels),
          "`selector` does not match template `labels`");
    }
  }

  private static void checkGenerated(
      ApiObject job, Map<String, String> labels, ValidationErrors problems) {
    var generated = new TreeMap<String, String>();
    generated.put(JobRules.CONTROLLER_UID, job.uid());
    generated.put(JobRules.OLD_CONTROLLER_UID, job.uid());
    generated.put(JobRules.JOB_NAME, job.name());
    generated.put(JobRules.OLD_JOB_NAME, job.name());
    generated.forEach((label, want) -> {
      String at = "spec.template.metadata.labels[" + label + "]";
      if (!labels.containsKey(label)) {
        problems.required(at, "must be '" + want + "'");
      } else if (!want.equals(labels.get(label))) {
        problems.invalid(at, Tree.of(labels), "must be '" + want + "'");
      }
    });
    if (!new LabelSelector(job.spec().tree("selector")).matches(generated)) {
      problems.invalid(
          "spec.selector", job.spec().tree("selector"), "`selector` not auto-generated");
    }
  }
}
