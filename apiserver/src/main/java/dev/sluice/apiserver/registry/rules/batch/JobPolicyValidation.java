package dev.sluice.apiserver.registry.rules.batch;

import dev.sluice.model.NameSyntax;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The validation of a Job's pod failure policy and success policy. */
final class JobPolicyValidation {
  private static final int MAX_RULES = 20;
  private static final int MAX_CONDITIONS = 20;
  private static final int MAX_EXIT_CODES = 255;
  private static final int MAX_INDEX_LIST = 64 * 1024;
  private static final List<String> ACTIONS = List.of("Count", "FailIndex", "FailJob", "Ignore");
  private static final List<String> OPERATORS = List.of("In", "NotIn");
  private static final List<String> STATUSES = List.of("False", "True", "Unknown");

  private final Tree spec;
  private final ValidationErrors problems;

  private JobPolicyValidation(Tree spec, ValidationErrors problems) {
    this.spec = spec;
    this.problems = problems;
  }

  static void check(String field, Tree spec, ValidationErrors problems) {
    var validation = new JobPolicyValidation(spec, problems);
    if (spec.has("podFailurePolicy")) {
      validation.checkFailurePolicy(field + ".podFailurePolicy.rules");
    }
    if (spec.has("successPolicy") && spec.text("completionMode").equals("Indexed")) {
      validation.checkSuccessPolicy(field + ".successPolicy.rules");
    }
  }

  private void checkFailurePolicy(String field) {
    List<Tree> rules = spec.trees("podFailurePolicy", "rules");
    problems.atMostItems(field, rules.size(), MAX_RULES);
    for (int i = 0; i < rules.size(); i++) {
      checkFailureRule("%s[%d]".formatted(field, i), rules.get(i));
    }
  }

  private void checkFailureRule(String at, Tree rule) {
    String action = rule.text("action");
    choice(at + ".action", action, ACTIONS);
    if (action.equals("FailIndex") && !spec.has("backoffLimitPerIndex")) {
      problems.invalid(at + ".action", action, "requires the backoffLimitPerIndex to be set");
    }
    boolean codes = rule.has("onExitCodes");
    boolean conditions = !rule.items("onPodConditions").isEmpty();
    if (codes) {
      checkExitCodes(at + ".onExitCodes", rule.tree("onExitCodes"));
    }
    if (conditions) {
      checkConditions(at + ".onPodConditions", rule.trees("onPodConditions"));
    }
    if (codes == conditions) {
      problems.invalid(
          at,
          codes
              ? "specifying both OnExitCodes and OnPodConditions is not supported"
              : "specifying one of OnExitCodes and OnPodConditions is required");
    }
  }

  private void choice(String field, String value, List<String> choices) {
    if (value.isEmpty()) {
      String words = String.join(" ", choices.stream().map(word -> "\"" + word + "\"").toList());
      problems.required(field, "valid values: [" + words + "]");
    } else {
      problems.oneOf(field, value, choices);
    }
  }

  private void checkExitCodes(String at, Tree requirement) {
    String operator = requirement.text("operator");
    choice(at + ".operator", operator, OPERATORS);
    String container = requirement.text("containerName");
    if (requirement.has("containerName") && !containerNames().contains(container)) {
      problems.invalid(
          at + ".containerName",
          container,
          "must be one of the container or initContainer names in the pod template");
    }
    List<Value> values = requirement.items("values");
    if (values.isEmpty()) {
      problems.invalid(at + ".values", new Items(values), "at least one value is required");
    }
    problems.atMostItems(at + ".values", values.size(), MAX_EXIT_CODES);
    checkCodes(at + ".values", values, operator.equals("In"));
  }

  private Set<String> containerNames() {
    var names = new TreeSet<String>();
    for (String list : List.of("containers", "initContainers")) {
      spec.trees("template", "spec", list).forEach(container -> names.add(container.text("name")));
    }
    return names;
  }

  private void checkCodes(String field, List<Value> values, boolean in) {
    var seen = new TreeSet<Long>();
    boolean ordered = true;
    long last = Long.MIN_VALUE;
    for (int i = 0; i < values.size(); i++) {
      long code = values.get(i) instanceof Value.Whole(long number) ? number : 0;
      String at = "%s[%d]".formatted(field, i);
      if (in && code == 0) {
        problems.invalid(at, code, "must not be 0 for the In operator");
      }
      if (!seen.add(code)) {
        problems.duplicate(at, code);
      }
      ordered &= code >= last;
      last = code;
    }
    if (!ordered) {
      problems.invalid(field, new Items(values), "must be ordered");
    }
  }

  private void checkConditions(String field, List<Tree> patterns) {
    problems.atMostItems(field, patterns.size(), MAX_CONDITIONS);
    for (int i = 0; i < patterns.size(); i++) {
      String at = "%s[%d]".formatted(field, i);
      String type = patterns.get(i).text("type");
      problems.invalidIf(NameSyntax.qualifiedNameProblem(type), at + ".type", type);
      choice(at + ".status", patterns.get(i).text("status"), STATUSES);
    }
  }

  private void checkSuccessPolicy(String field) {
    List<Tree> rules = spec.trees("successPolicy", "rules");
    if (rules.isEmpty()) {
      problems.required(
          field, "at least one rules must be specified when the successPolicy is specified");
    }
    problems.atMostItems(field, rules.size(), MAX_RULES);
    for (int i = 0; i < rules.size(); i++) {
      checkSuccessRule("%s[%d]".formatted(field, i), rules.get(i));
    }
  }

  private void checkSuccessRule(String at, Tree rule) {
    boolean listed = rule.has("succeededIndexes");
    boolean counted = rule.has("succeededCount");
    if (!listed && !counted) {
      problems.required(at, "at least one of succeededCount or succeededIndexes must be specified");
    }
    long completions = spec.whole("completions").orElse(0);
    String text = rule.text("succeededIndexes");
    problems.atMostBytes(at + ".succeededIndexes", text.length(), MAX_INDEX_LIST);
    IndexList indexes = IndexList.of(text, completions);
    if (!indexes.problem().isEmpty()) {
      problems.invalid(
          at + ".succeededIndexes", text, "error parsing succeededIndexes: " + indexes.problem());
    }
    if (counted) {
      long count = rule.whole("succeededCount").orElse(0);
      problems.notNegative(at + ".succeededCount", count);
      atMost(at, count, completions, "the number of specified completions");
      if (listed) {
        String what = "the number of indexes in the specified succeededIndexes field";
        atMost(at, count, indexes.count(), what);
      }
    }
  }

  private void atMost(String rule, long count, long most, String what) {
    if (count > most) {
      problems.invalid(
          rule + ".succeededCount",
          count,
          "must be less than or equal to %d (%s)".formatted(most, what));
    }
  }
}
