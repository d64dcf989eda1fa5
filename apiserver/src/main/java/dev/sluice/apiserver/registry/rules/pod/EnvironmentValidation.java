package dev.sluice.apiserver.registry.rules.pod;

import dev.sluice.model.NameSyntax;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Optional;

/** The validation of a container's environment. */
final class EnvironmentValidation {
  private static final String MORE_THAN_ONE =
      "may not have more than one field specified at a time";
  private static final List<String> SOURCES =
      List.of("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef");

  private final List<Tree> volumes;
  private final ValidationErrors problems;

  /**
   * @param volumes the volumes of the pod
   */
  EnvironmentValidation(List<Tree> volumes, ValidationErrors problems) {
    this.volumes = List.copyOf(volumes);
    this.problems = problems;
  }

  /** Validates {@code env} and {@code envFrom}. */
  void check(String field, Tree container) {
    List<Tree> variables = container.trees("env");
    for (int i = 0; i < variables.size(); i++) {
      checkVariable(field + ".env[" + i + "]", variables.get(i));
    }
    List<Tree> sources = container.trees("envFrom");
    for (int i = 0; i < sources.size(); i++) {
      checkAll(field + ".envFrom", i, sources.get(i));
    }
  }

  private void checkVariable(String at, Tree variable) {
    String name = variable.text("name");
    if (name.isEmpty()) {
      problems.required(at + ".name", "");
    }
    problems.invalidIf(NameSyntax.variableProblem(name), at + ".name", name);
    if (!variable.has("valueFrom")) {
      return;
    }
    Tree from = variable.tree("valueFrom");
    String place = at + ".valueFrom";
    List<String> given = SOURCES.stream().filter(from::has).toList();
    given.forEach(source -> checkSource(place + "." + source, source, from.tree(source)));
    if (given.isEmpty()) {
      problems.invalid(place, "", "must specify one of: " + String.join(", ", SOURCES));
    } else if (!variable.text("value").isEmpty()) {
      problems.invalid(place, "", "may not be specified when `value` is not empty");
    } else if (given.size() > 1) {
      problems.invalid(place, "", MORE_THAN_ONE);
    }
  }

  private void checkSource(String at, String source, Tree reference) {
    switch (source) {
      case "fieldRef" ->
          DownwardReferences.checkField(at, reference, DownwardReferences.IN_VARIABLES, problems);
      case "resourceFieldRef" -> DownwardReferences.checkResource(at, reference, false, problems);
      case "fileKeyRef" -> checkFile(at, reference);
      default -> checkEntry(at, reference);
    }
  }

  private void checkEntry(String at, Tree reference) {
    String name = reference.text("name");
    problems.invalidIf(NameSyntax.subdomainProblem(name), at + ".name", name);
    String key = reference.text("key");
    require(at + ".key", key, problems);
    if (!key.isEmpty()) {
      problems.invalidIf(NameSyntax.configKeyProblem(key), at + ".key", key);
    }
  }

  /** Validates a {@code fileKeyRef}, whose volume must be an emptyDir of the pod. */
  private void checkFile(String at, Tree reference) {
    String key = reference.text("key");
    require(at + ".key", key, problems);
    problems.invalidIf(NameSyntax.variableProblem(key), at + ".key", key);
    String volume = reference.text("volumeName");
    require(at + ".volumeName", volume, problems);
    Optional<Tree> found =
        volumes.stream().filter(each -> each.text("name").equals(volume)).findFirst();
    if (found.isEmpty()) {
      problems.notFound(at + ".volumeName", volume);
    } else if (!found.get().has("emptyDir")) {
      problems.invalid(at + ".volumeName", volume, "referenced volume must be of type emptyDir");
    }
    String path = reference.text("path");
    require(at + ".path", path, problems);
    if (VolumePaths.stepsBack(path)) {
      problems.invalid(at + ".path", path, "must not contain '..'");
    }
  }

  private void checkAll(String field, int index, Tree source) {
    String at = field + "[" + index + "]";
    String prefix = source.text("prefix");
    problems.invalidIf(NameSyntax.variableProblem(prefix), at + ".prefix", prefix);
    int given = 0;
    for (String kind : List.of("configMapRef", "secretRef")) {
      if (source.has(kind)) {
        given++;
        require(at + "." + kind + ".name", source.text(kind, "name"), problems);
      }
    }
    if (given == 0) {
      problems.invalid(field, "", "must specify one of: configMapRef, secretRef");
    } else if (given > 1) {
      problems.invalid(field, "", MORE_THAN_ONE);
    }
  }

  private static void require(String at, String value, ValidationErrors problems) {
    if (value.isEmpty()) {
      problems.required(at, "");
    }
  }
}
