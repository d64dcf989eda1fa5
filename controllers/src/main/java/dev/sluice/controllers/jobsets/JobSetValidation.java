package dev.sluice.controllers.jobsets;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.sluice.model.NameSyntax;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.batch.Job;
import dev.sluice.model.jobset.Coordinator;
import dev.sluice.model.jobset.JobSet;
import dev.sluice.model.jobset.JobSetFailureRule;
import dev.sluice.model.jobset.ReplicatedJob;
import dev.sluice.model.jobset.ReplicatedJob.Dependency;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The validation of a new JobSet. Job templates are validated when their Jobs are created, but
 * their names must be good from the beginning: the names of Jobs and pods are made of them.
 */
final class JobSetValidation {
  /** A pod's name has this many more characters than its hostname. */
  private static final String POD_SUFFIX = "-abcde";

  private static final String COORDINATOR = "spec.coordinator";
  private static final long MAX_PODS = Integer.MAX_VALUE;
  private static final int MAX_MANAGER = 63;
  private static final int MAX_RULE_NAME = 128;
  private static final Pattern RULE_NAME =
      Pattern.compile("[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?");
  private static final List<String> REASONS =
      List.of(
          "BackoffLimitExceeded",
          "DeadlineExceeded",
          "FailedIndexes",
          "MaxFailedIndexesExceeded",
          "PodFailurePolicy");

  private final JobSet set;
  private final List<ReplicatedJob> jobs;
  private final ValidationErrors problems;

  private JobSetValidation(JobSet set, ValidationErrors problems) {
    this.set = set;
    this.jobs = set.replicatedJobs();
    this.problems = problems;
  }

  static void check(JobSet set, ValidationErrors problems) {
    var validation = new JobSetValidation(set, problems);
    for (int i = 0; i < validation.jobs.size(); i++) {
      validation.checkJob(i);
    }
    validation.checkNetwork();
    validation.checkPolicies();
    set.coordinator().ifPresent(validation::checkCoordinator);
    validation.checkManager();
  }

  private void checkJob(int index) {
    ReplicatedJob replicated = jobs.get(index);
    String path = "spec.replicatedJobs[" + index + "]";
    checkNames(replicated, path);
    problems.invalidIf(
        NameSyntax.labelProblem(replicated.groupName()),
        path + ".groupName",
        replicated.groupName());
    if (replicated.job().parallelism() > 0
        && replicated.replicas() > MAX_PODS / replicated.job().parallelism()) {
      problems.invalid(
          path + ".replicas",
          replicated.replicas(),
          "the number of replicas times parallelism must not exceed " + MAX_PODS);
    }
    for (int i = 0; i < replicated.dependsOn().size(); i++) {
      checkDependency(index, replicated.dependsOn().get(i), path + ".dependsOn[" + i + "].name");
    }
  }

  private void checkNames(ReplicatedJob replicated, String path) {
    Job job = replicated.job();
    String name = set.jobName(replicated.name(), Math.max(0, replicated.replicas() - 1));
    if (job.isIndexed() && job.completions().isPresent()) {
      name += "-" + Math.max(0, job.completions().getAsLong() - 1) + POD_SUFFIX;
    }
    String problem = NameSyntax.labelProblem(name);
    if (problem.isEmpty() && Character.isDigit(name.charAt(0))) {
      problem = "must begin with a letter";
    }
    if (!problem.isEmpty()) {
      problems.invalid(
          path + ".name",
          replicated.name(),
          "the longest name that is made of it, %s, %s; choose a shorter name for it or the JobSet"
              .formatted(ValidationErrors.cut(name), problem));
    }
  }

  private void checkDependency(int index, Dependency dependency, String field) {
    boolean known = jobs.subList(0, index).stream().anyMatch(job -> is(job, dependency.name()));
    if (!known) {
      problems.invalid(
          field,
          dependency.name(),
          "must be a replicated job that stands before this one, so that there are no cycles");
    }
  }

  private static boolean is(ReplicatedJob job, String name) {
    return job.name().equals(name);
  }

  private void checkNetwork() {
    String subdomain = set.object().spec().text("network", "subdomain");
    if (!subdomain.isEmpty()) {
      problems.invalidIf(NameSyntax.labelProblem(subdomain), "spec.network.subdomain", subdomain);
    }
  }

  private void checkPolicies() {
    checkTargets(
        set.object().spec().textItems("successPolicy", "targetReplicatedJobs"),
        "spec.successPolicy.targetReplicatedJobs");
    SortedSet<String> names = new TreeSet<>();
    List<JobSetFailureRule> rules = set.failureRules();
    for (int i = 0; i < rules.size(); i++) {
      String path = "spec.failurePolicy.rules[" + i + "]";
      checkRule(rules.get(i), path);
      if (!names.add(rules.get(i).name())) {
        problems.duplicate(path + ".name", rules.get(i).name());
      }
    }
  }

  private void checkRule(JobSetFailureRule rule, String path) {
    String name = rule.name();
    if (name.length() > MAX_RULE_NAME || !RULE_NAME.matches(name)) {
      problems.invalid(
          path + ".name",
          name,
          "must have 1 to 128 letters, digits and '_', ',' or ':', with a letter first and no ',' or"
              + " ':' at the end");
    }
    for (int i = 0; i < rule.reasons().size(); i++) {
      problems.oneOf(path + ".onJobFailureReasons[" + i + "]", rule.reasons().get(i), REASONS);
    }
    for (int i = 0; i < rule.messagePatterns().size(); i++) {
      checkPattern(rule.messagePatterns().get(i), path + ".onJobFailureMessagePatterns[" + i + "]");
    }
    checkTargets(rule.targets(), path + ".targetReplicatedJobs");
  }

  private void checkPattern(String pattern, String field) {
    try {
      Pattern.compile(pattern);
    } catch (PatternSyntaxException unreadable) {
      problems.invalid(field, pattern, "must be a regular expression: " + unreadable.getMessage());
    }
  }

  private void checkTargets(List<String> targets, String field) {
    for (int i = 0; i < targets.size(); i++) {
      String target = targets.get(i);
      if (jobs.stream().noneMatch(job -> is(job, target))) {
        problems.invalid(field + "[" + i + "]", target, "must be the name of a replicated job");
      }
    }
  }

  private void checkCoordinator(Coordinator coordinator) {
    jobs.stream()
        .filter(job -> is(job, coordinator.replicatedJob()))
        .findFirst()
        .ifPresentOrElse(
            replicated -> checkCoordinator(coordinator, replicated),
            () ->
                problems.invalid(
                    COORDINATOR + ".replicatedJob",
                    coordinator.replicatedJob(),
                    "must be the name of a replicated job"));
  }

  private void checkCoordinator(Coordinator coordinator, ReplicatedJob replicated) {
    checkIndex(
        "jobIndex", coordinator.jobIndex(), replicated.replicas(), "replicas", replicated.name());
    OptionalLong completions = replicated.job().completions();
    if (!replicated.job().isIndexed() || completions.isEmpty()) {
      problems.invalid(
          COORDINATOR + ".replicatedJob",
          replicated.name(),
          "must be an Indexed job with completions");
    } else {
      long count = completions.getAsLong();
      checkIndex("podIndex", coordinator.podIndex(), count, "completions", replicated.name());
    }
    String endpoint = set.coordinatorEndpoint().orElse("");
    problems.invalidIf(NameSyntax.labelValueProblem(endpoint), COORDINATOR, endpoint);
  }

  private void checkIndex(String field, long index, long count, String what, String replicated) {
    if (index < 0 || index >= count) {
      problems.invalid(
          COORDINATOR + "." + field,
          index,
          "must be from 0 to one less than the %d %s of %s".formatted(count, what, replicated));
    }
  }

  private void checkManager() {
    String manager = set.object().spec().text("managedBy");
    if (manager.isEmpty()) {
      return;
    }
    problems.invalidIf(NameSyntax.domainPathProblem(manager), "spec.managedBy", manager);
    problems.atMostBytes("spec.managedBy", manager.length(), MAX_MANAGER);
  }
}
