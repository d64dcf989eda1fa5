package dev.sluice.apiserver.registry.rules.pod;

import dev.sluice.apiserver.registry.rules.LabelKeys;
import dev.sluice.model.NameSyntax;
import dev.sluice.model.SelectorValidation;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;

/** The validation of node affinity, pod affinity and pod anti-affinity. */
final class AffinityValidation {
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
  private static final long MAX_WEIGHT = 100;

  private final ValidationErrors problems;

  AffinityValidation(ValidationErrors problems) {
    this.problems = problems;
  }

  void check(String field, Tree affinity) {
    if (affinity.has("nodeAffinity")) {
      checkNodes(field + ".nodeAffinity", affinity.tree("nodeAffinity"));
    }
    for (String kind : List.of("podAffinity", "podAntiAffinity")) {
      if (affinity.has(kind)) {
        checkPods(field + "." + kind, affinity.tree(kind));
      }
    }
  }

  private void checkNodes(String field, Tree affinity) {
    if (affinity.has(REQUIRED)) {
      String at = field + "." + REQUIRED + ".nodeSelectorTerms";
      List<Tree> terms = affinity.trees(REQUIRED, "nodeSelectorTerms");
      if (terms.isEmpty()) {
        problems.required(at, "must have at least one node selector term");
      }
      for (int i = 0; i < terms.size(); i++) {
        checkNodeTerm(at + "[" + i + "]", terms.get(i));
        checkValues(at + "[" + i + "]", terms.get(i));
      }
    }
    List<Tree> preferred = affinity.trees(PREFERRED);
    for (int i = 0; i < preferred.size(); i++) {
      String at = "%s.%s[%d]".formatted(field, PREFERRED, i);
      checkWeight(at, preferred.get(i));
      checkNodeTerm(at + ".preference", preferred.get(i).tree("preference"));
    }
  }

  private void checkWeight(String at, Tree preferred) {
    long weight = preferred.whole("weight").orElse(0);
    if (weight < 1 || weight > MAX_WEIGHT) {
      problems.invalid(at + ".weight", weight, "must be in the range 1-100");
    }
  }

  private void checkNodeTerm(String at, Tree term) {
    List<Tree> labels = term.trees("matchExpressions");
    for (int i = 0; i < labels.size(); i++) {
      checkLabels("%s.matchExpressions[%d]".formatted(at, i), labels.get(i));
    }
    List<Tree> fields = term.trees("matchFields");
    for (int i = 0; i < fields.size(); i++) {
      checkField("%s.matchFields[%d]".formatted(at, i), fields.get(i));
    }
  }

  private void checkLabels(String at, Tree requirement) {
    List<Value> values = requirement.items("values");
    String operator = requirement.text("operator");
    switch (operator) {
      case "In", "NotIn" -> {
        if (values.isEmpty()) {
          problems.required(at + ".values", "must be specified when `operator` is 'In' or 'NotIn'");
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (!values.isEmpty()) {
          problems.forbidden(
              at + ".values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
        }
      }
      case "Gt", "Lt" -> {
        if (values.size() != 1) {
          problems.required(
              at + ".values", "must be specified single value when `operator` is 'Lt' or 'Gt'");
        }
      }
      default -> problems.invalid(at + ".operator", operator, "not a valid selector operator");
    }
    String key = requirement.text("key");
    problems.invalidIf(NameSyntax.qualifiedNameProblem(key), at + ".key", key);
  }

  /** Validates values; in a preference, values that no label can have only cause a warning. */
  private void checkValues(String at, Tree term) {
    List<Tree> labels = term.trees("matchExpressions");
    for (int i = 0; i < labels.size(); i++) {
      List<String> values = labels.get(i).textItems("values");
      for (int j = 0; j < values.size(); j++) {
        problems.invalidIf(
            NameSyntax.labelValueProblem(values.get(j)),
            "%s.matchExpressions[%d].values[%d]".formatted(at, i, j),
            values.get(j));
      }
    }
  }

  private void checkField(String at, Tree requirement) {
    String operator = requirement.text("operator");
    if (!operator.equals("In") && !operator.equals("NotIn")) {
      problems.invalid(at + ".operator", operator, "not a valid selector operator");
    } else if (requirement.items("values").size() != 1) {
      problems.required(
          at + ".values",
          "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
    }
    String key = requirement.text("key");
    if (!key.equals("metadata.name")) {
      problems.invalid(at + ".key", key, "not a valid field selector key");
    }
  }

  private void checkPods(String field, Tree affinity) {
    List<Tree> required = affinity.trees(REQUIRED);
    for (int i = 0; i < required.size(); i++) {
      checkPodTerm("%s.%s[%d]".formatted(field, REQUIRED, i), required.get(i));
    }
    List<Tree> preferred = affinity.trees(PREFERRED);
    for (int i = 0; i < preferred.size(); i++) {
      String at = "%s.%s[%d]".formatted(field, PREFERRED, i);
      checkWeight(at, preferred.get(i));
      checkPodTerm(at + ".podAffinityTerm", preferred.get(i).tree("podAffinityTerm"));
    }
  }

  private void checkPodTerm(String at, Tree term) {
    SelectorValidation.check(at + ".labelSelector", term.tree("labelSelector"), problems);
    SelectorValidation.check(at + ".namespaceSelector", term.tree("namespaceSelector"), problems);
    for (String namespace : term.textItems("namespaces")) {
      problems.invalidIf(NameSyntax.labelProblem(namespace), at + ".namespace", namespace);
    }
    String key = term.text("topologyKey");
    if (key.isEmpty()) {
      problems.required(at + ".topologyKey", "can not be empty");
    }
    problems.invalidIf(NameSyntax.qualifiedNameProblem(key), at + ".topologyKey", key);
    for (String list : List.of("matchLabelKeys", "mismatchLabelKeys")) {
      LabelKeys.check(at + "." + list, term, list, problems);
    }
    List<String> matched = term.textItems("matchLabelKeys");
    List<String> mismatched = term.textItems("mismatchLabelKeys");
    for (int i = 0; i < matched.size(); i++) {
      if (mismatched.contains(matched.get(i))) {
        problems.invalid(
            "%s.matchLabelKeys[%d]".formatted(at, i),
            matched.get(i),
            "exists in both matchLabelKeys and mismatchLabelKeys");
      }
    }
  }
}
