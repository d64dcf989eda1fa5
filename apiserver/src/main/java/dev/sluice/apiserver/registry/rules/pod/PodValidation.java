package dev.sluice.apiserver.registry.rules.pod;

import dev.sluice.model.NameSyntax;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The validation of the spec of a pod or a pod template. */
public final class PodValidation {
  static final List<String> RESTART_POLICIES = List.of("Always", "Never", "OnFailure");
  private static final List<String> SYSTEMS = List.of("linux", "windows");
  private static final List<String> PREEMPTION_POLICIES = List.of("Never", "PreemptLowerPriority");

  private PodValidation() {}

  /** Validates a spec that has its defaults. */
  public static void check(String field, Tree spec, ValidationErrors problems) {
    List<Tree> containers = spec.trees("containers");
    if (containers.isEmpty()) {
      problems.required(field + ".containers", "");
    }
    SortedMap<String, Tree> volumes =
        checkVolumes(field + ".volumes", spec.trees("volumes"), problems);
    var validation = new ContainerValidation(spec, volumes, problems);
    validation.check(field + ".containers", containers);
    validation.checkInit(field + ".initContainers", spec.trees("initContainers"));
    ResourceValidation.checkPod(field + ".resources", spec.tree("resources"), problems);
    ResourceValidation.checkOverhead(field + ".overhead", spec.tree("overhead"), problems);
    checkClaims(field + ".resourceClaims", spec.trees("resourceClaims"), problems);
    problems.oneOf(field + ".restartPolicy", spec.text("restartPolicy"), RESTART_POLICIES);
    if (!spec.items("ephemeralContainers").isEmpty()) {
      problems.forbidden(
          field + ".ephemeralContainers", "ephemeral containers come to pods that run already");
    }
    new NetworkValidation(problems).check(field, spec);
    checkTimes(field, spec, problems);
    checkNames(field, spec, problems);
    SecurityValidation.checkPod(field + ".securityContext", spec.tree("securityContext"), problems);
    new WindowsValidation(problems).check(field, spec);
    new PlacementValidation(problems).check(field, spec);
  }

  private static SortedMap<String, Tree> checkVolumes(
      String field, List<Tree> volumes, ValidationErrors problems) {
    var known = new TreeMap<String, Tree>();
    for (int i = 0; i < volumes.size(); i++) {
      String name = volumes.get(i).text("name");
      String at = "%s[%d].name".formatted(field, i);
      if (name.isEmpty()) {
        problems.required(at, "");
      } else {
        problems.invalidIf(NameSyntax.labelProblem(name), at, name);
        if (known.putIfAbsent(name, volumes.get(i)) != null) {
          problems.duplicate(at, name);
        }
      }
      new VolumeSourceValidation(problems).check("%s[%d]".formatted(field, i), volumes.get(i));
    }
    return known;
  }

  private static void checkClaims(String field, List<Tree> claims, ValidationErrors problems) {
    for (int i = 0; i < claims.size(); i++) {
      Tree claim = claims.get(i);
      String at = field + "[" + i + "]";
      if (claim.text("name").isEmpty()) {
        problems.required(at + ".name", "");
      }
      boolean claimed = claim.has("resourceClaimName");
      if (claimed == claim.has("resourceClaimTemplateName")) {
        problems.invalid(
            at, claim, "must have one of resourceClaimName and resourceClaimTemplateName");
      }
    }
  }

  /** Validates names of other objects, and the hostname and subdomain of the pod. */
  private static void checkNames(String field, Tree spec, ValidationErrors problems) {
    for (String name :
        List.of("nodeName", "serviceAccountName", "priorityClassName", "runtimeClassName")) {
      if (!spec.text(name).isEmpty()) {
        problems.invalidIf(
            NameSyntax.subdomainProblem(spec.text(name)), field + "." + name, spec.text(name));
      }
    }
    for (String name : List.of("hostname", "subdomain")) {
      if (!spec.text(name).isEmpty()) {
        problems.invalidIf(
            NameSyntax.labelProblem(spec.text(name)), field + "." + name, spec.text(name));
      }
    }
    if (spec.has("preemptionPolicy")) {
      problems.oneOf(
          field + ".preemptionPolicy", spec.text("preemptionPolicy"), PREEMPTION_POLICIES);
    }
    if (spec.has("os")) {
      checkSystem(field + ".os", spec.text("os", "name"), problems);
    }
    List<Tree> gates = spec.trees("readinessGates");
    for (int i = 0; i < gates.size(); i++) {
      String type = gates.get(i).text("conditionType");
      problems.invalidIf(
          NameSyntax.qualifiedNameProblem(type),
          "%s.readinessGates[%d].conditionType".formatted(field, i),
          type);
    }
  }

  private static void checkSystem(String field, String name, ValidationErrors problems) {
    if (name.isEmpty()) {
      problems.required(field + ".name", "");
    } else {
      problems.oneOf(field, name, SYSTEMS);
    }
  }

  private static void checkTimes(String field, Tree spec, ValidationErrors problems) {
    long deadline = spec.whole("activeDeadlineSeconds").orElse(1);
    if (deadline < 1 || deadline > Integer.MAX_VALUE) {
      problems.invalid(
          field + ".activeDeadlineSeconds",
          deadline,
          "must be between 1 and %d, inclusive".formatted(Integer.MAX_VALUE));
    }
  }
}
