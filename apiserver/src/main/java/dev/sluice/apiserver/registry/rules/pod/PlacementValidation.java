package dev.sluice.apiserver.registry.rules.pod;

import dev.sluice.apiserver.registry.rules.LabelKeys;
import dev.sluice.model.NameSyntax;
import dev.sluice.model.SelectorValidation;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.TreeSet;

/** The validation of a pod's scheduling constraints. */
final class PlacementValidation {
  private static final List<String> TAINT_EFFECTS =
      List.of("NoExecute", "NoSchedule", "PreferNoSchedule");
  private static final List<String> WHEN_UNSATISFIABLE = List.of("DoNotSchedule", "ScheduleAnyway");
  private static final List<String> INCLUSIONS = List.of("Honor", "Ignore");

  private final ValidationErrors problems;

  PlacementValidation(ValidationErrors problems) {
    this.problems = problems;
  }

  void check(String field, Tree spec) {
    problems.labels(field + ".nodeSelector", spec.texts("nodeSelector"));
    if (spec.has("affinity")) {
      new AffinityValidation(problems).check(field + ".affinity", spec.tree("affinity"));
    }
    List<Tree> tolerations = spec.trees("tolerations");
    for (int i = 0; i < tolerations.size(); i++) {
      checkToleration(field + ".tolerations[" + i + "]", tolerations.get(i));
    }
    checkSpread(field + ".topologySpreadConstraints", spec.trees("topologySpreadConstraints"));
    checkGates(field + ".schedulingGates", spec.trees("schedulingGates"));
  }

  private void checkToleration(String at, Tree toleration) {
    String operator = toleration.text("operator");
    String key = toleration.text("key");
    if (!key.isEmpty()) {
      problems.invalidIf(NameSyntax.qualifiedNameProblem(key), at + ".key", key);
    } else if (!operator.equals("Exists")) {
      problems.invalid(at + ".operator", operator, "operator must be Exists when `key` is empty");
    }
    String value = toleration.text("value");
    switch (operator) {
      case "", "Equal" ->
          problems.invalidIf(NameSyntax.labelValueProblem(value), at + ".operator", value);
      case "Exists" -> {
        if (!value.isEmpty()) {
          problems.invalid(
              at + ".operator", value, "value must be empty when `operator` is 'Exists'");
        }
      }
      default -> problems.oneOf(at + ".operator", operator, List.of("Equal", "Exists"));
    }
    String effect = toleration.text("effect");
    if (toleration.has("tolerationSeconds") && !effect.equals("NoExecute")) {
      problems.invalid(
          at + ".effect", effect, "effect must be 'NoExecute' when `tolerationSeconds` is set");
    }
    if (!effect.isEmpty()) {
      problems.oneOf(at + ".effect", effect, TAINT_EFFECTS);
    }
  }

  private void checkSpread(String field, List<Tree> constraints) {
    for (int i = 0; i < constraints.size(); i++) {
      String at = "%s[%d]".formatted(field, i);
      checkConstraint(at, constraints.get(i));
      String same = domains(constraints.get(i));
      boolean repeated =
          constraints.subList(i + 1, constraints.size()).stream()
              .anyMatch(later -> domains(later).equals(same));
      if (repeated) {
        problems.duplicate(at + ".{topologyKey, whenUnsatisfiable}", same);
      }
    }
  }

  private static String domains(Tree constraint) {
    return "{%s, %s}"
        .formatted(constraint.text("topologyKey"), constraint.text("whenUnsatisfiable"));
  }

  private void checkConstraint(String at, Tree constraint) {
    long skew = constraint.whole("maxSkew").orElse(0);
    if (skew <= 0) {
      problems.invalid(at + ".maxSkew", skew, "must be greater than zero");
    }
    if (constraint.text("topologyKey").isEmpty()) {
      problems.required(at + ".topologyKey", "can not be empty");
    }
    String otherwise = constraint.text("whenUnsatisfiable");
    problems.oneOf(at + ".whenUnsatisfiable", otherwise, WHEN_UNSATISFIABLE);
    if (constraint.has("minDomains")) {
      checkDomains(at + ".minDomains", constraint.whole("minDomains").orElse(0), otherwise);
    }
    for (String policy : List.of("nodeAffinityPolicy", "nodeTaintsPolicy")) {
      if (constraint.has(policy)) {
        problems.oneOf(at + "." + policy, constraint.text(policy), INCLUSIONS);
      }
    }
    LabelKeys.check(at + ".matchLabelKeys", constraint, "matchLabelKeys", problems);
    SelectorValidation.check(at + ".labelSelector", constraint.tree("labelSelector"), problems);
  }

  private void checkDomains(String at, long domains, String otherwise) {
    if (domains <= 0) {
      problems.invalid(at, domains, "must be greater than zero");
    }
    if (!otherwise.equals("DoNotSchedule")) {
      problems.invalid(at, domains, "can only use minDomains if whenUnsatisfiable=DoNotSchedule");
    }
  }

  private void checkGates(String field, List<Tree> gates) {
    var names = new TreeSet<String>();
    for (int i = 0; i < gates.size(); i++) {
      String name = gates.get(i).text("name");
      String at = field + "[" + i + "]";
      problems.invalidIf(NameSyntax.qualifiedNameProblem(name), at, name);
      if (!names.add(name)) {
        problems.duplicate(at, name);
      }
    }
  }
}
