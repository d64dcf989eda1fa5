package dev.sluice.apiserver.registry.rules;

import dev.sluice.model.Problems;
import dev.sluice.model.Syntax;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What is wrong with the spec of a pod or of a template of pods. */
final class PodValidation {
  static final List<String> RESTART_POLICIES = List.of("Always", "Never", "OnFailure");
  private static final List<String> DNS_POLICIES =
      List.of("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None");
  private static final List<String> TAINT_EFFECTS =
      List.of("NoExecute", "NoSchedule", "PreferNoSchedule");

  private PodValidation() {}

  /** Checks a spec that has its defaults. */
  static void check(String field, Tree spec, Problems problems) {
    List<Tree> containers = spec.trees("containers");
    if (containers.isEmpty()) {
      problems.required(field + ".containers", "");
    }
    Set<String> volumes = checkVolumes(field + ".volumes", spec.trees("volumes"), problems);
    var validation = new ContainerValidation(new TreeSet<>(), volumes, problems);
    validation.check(field + ".initContainers", spec.trees("initContainers"));
    validation.check(field + ".containers", containers);
    ContainerValidation.resources(field + ".resources", spec.tree("resources"), problems);
    Quantities.check(field + ".overhead", spec.tree("overhead"), problems);
    problems.oneOf(field + ".restartPolicy", spec.text("restartPolicy"), RESTART_POLICIES);
    problems.oneOf(field + ".dnsPolicy", spec.text("dnsPolicy"), DNS_POLICIES);
    checkTimes(field, spec, problems);
    problems.labels(field + ".nodeSelector", spec.texts("nodeSelector"));
    checkTolerations(field + ".tolerations", spec.trees("tolerations"), problems);
    checkGates(field, spec, problems);
  }

  private static Set<String> checkVolumes(String field, List<Tree> volumes, Problems problems) {
    var names = new TreeSet<String>();
    for (int i = 0; i < volumes.size(); i++) {
      String name = volumes.get(i).text("name");
      String at = "%s[%d].name".formatted(field, i);
      if (name.isEmpty()) {
        problems.required(at, "");
      } else {
        problems.invalidIf(Syntax.labelProblem(name), at, name);
      }
      if (!name.isEmpty() && !names.add(name)) {
        problems.duplicate(at, name);
      }
    }
    return names;
  }

  private static void checkTimes(String field, Tree spec, Problems problems) {
    long deadline = spec.whole("activeDeadlineSeconds").orElse(1);
    if (deadline < 1 || deadline > Integer.MAX_VALUE) {
      problems.invalid(
          field + ".activeDeadlineSeconds",
          deadline,
          "must be between 1 and %d, inclusive".formatted(Integer.MAX_VALUE));
    }
  }

  private static void checkTolerations(String field, List<Tree> tolerations, Problems problems) {
    for (int i = 0; i < tolerations.size(); i++) {
      Tree toleration = tolerations.get(i);
      String at = field + "[" + i + "]";
      String operator = toleration.text("operator");
      String key = toleration.text("key");
      if (!key.isEmpty()) {
        problems.invalidIf(Syntax.qualifiedNameProblem(key), at + ".key", key);
      } else if (!operator.equals("Exists")) {
        problems.invalid(at + ".operator", operator, "operator must be Exists when `key` is empty");
      }
      if (operator.equals("Exists") && !toleration.text("value").isEmpty()) {
        problems.invalid(
            at + ".operator",
            toleration.text("value"),
            "value must be empty when `operator` is 'Exists'");
      }
      if (!operator.isEmpty()) {
        problems.oneOf(at + ".operator", operator, List.of("Equal", "Exists"));
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
  }

  private static void checkGates(String field, Tree spec, Problems problems) {
    List<Tree> gates = spec.trees("schedulingGates");
    var names = new TreeSet<String>();
    for (int i = 0; i < gates.size(); i++) {
      String name = gates.get(i).text("name");
      String at = "%s.schedulingGates[%d].name".formatted(field, i);
      problems.invalidIf(Syntax.qualifiedNameProblem(name), at, name);
      if (!names.add(name)) {
        problems.duplicate(at, name);
      }
    }
    if (!gates.isEmpty() && !spec.text("nodeName").isEmpty()) {
      problems.forbidden(
          field + ".nodeName", "cannot be set until all schedulingGates have been cleared");
    }
  }
}
