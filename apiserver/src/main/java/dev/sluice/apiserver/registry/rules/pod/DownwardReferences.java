package dev.sluice.apiserver.registry.rules.pod;

import dev.sluice.apiserver.registry.rules.QuantityValidation;
import dev.sluice.model.NameSyntax;
import dev.sluice.model.Quantity;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Optional;

/** The validation of downward API references. */
final class DownwardReferences {
  /** The fields that an environment variable can refer to. */
  static final List<String> IN_VARIABLES =
      List.of(
          "metadata.name",
          "metadata.namespace",
          "metadata.uid",
          "spec.nodeName",
          "spec.serviceAccountName",
          "status.hostIP",
          "status.hostIPs",
          "status.podIP",
          "status.podIPs");

  /** The fields that a file can refer to. */
  static final List<String> IN_FILES =
      List.of(
          "metadata.annotations",
          "metadata.labels",
          "metadata.name",
          "metadata.namespace",
          "metadata.uid");

  /** Fields of pods that neither can refer to. */
  private static final List<String> ELSEWHERE =
      List.of("spec.restartPolicy", "spec.schedulerName", "status.phase");

  private static final List<String> RESOURCES =
      List.of(
          "limits.cpu",
          "limits.ephemeral-storage",
          "limits.memory",
          "requests.cpu",
          "requests.ephemeral-storage",
          "requests.memory");

  private static final List<String> CPU_UNITS = List.of("1m", "1");
  private static final List<String> BYTE_UNITS =
      List.of("1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei");

  private DownwardReferences() {}

  /** Validates a {@code fieldRef}. */
  static void checkField(
      String at, Tree reference, List<String> supported, ValidationErrors problems) {
    String path = reference.text("fieldPath");
    int bracket = path.indexOf("['");
    if (path.isEmpty()) {
      problems.required(at + ".fieldPath", "");
    } else if (!reference.text("apiVersion").equals("v1")) {
      conversionProblem(at, path, "unsupported pod version", problems);
    } else if (bracket > 0 && path.endsWith("']")) {
      String key = path.substring(bracket + 2, path.length() - 2);
      checkEntry(at, path, path.substring(0, bracket), key, problems);
    } else if (isField(path)) {
      problems.oneOf(at + ".fieldPath", path, supported);
    } else {
      conversionProblem(at, path, "field label not supported", problems);
    }
  }

  private static boolean isField(String path) {
    return IN_VARIABLES.contains(path) || IN_FILES.contains(path) || ELSEWHERE.contains(path);
  }

  private static void checkEntry(
      String at, String path, String map, String key, ValidationErrors problems) {
    switch (map) {
      case "metadata.labels" -> problems.invalidIf(NameSyntax.qualifiedNameProblem(key), at, key);
      case "metadata.annotations" ->
          problems.invalidIf(NameSyntax.annotationKeyProblem(key), at, key);
      default -> conversionProblem(at, path, "field label does not support subscript", problems);
    }
  }

  private static void conversionProblem(
      String at, String path, String why, ValidationErrors problems) {
    problems.invalid(at + ".fieldPath", path, "error converting fieldPath: " + why + ": " + path);
  }

  /** Validates a {@code resourceFieldRef}; in files it must name its container. */
  static void checkResource(String at, Tree reference, boolean inFile, ValidationErrors problems) {
    String resource = reference.text("resource");
    if (inFile && reference.text("containerName").isEmpty()) {
      problems.required(at + ".containerName", "");
    } else if (resource.isEmpty()) {
      problems.required(at + ".resource", "");
    } else if (!isOfHugePages(resource)) {
      problems.oneOf(at + ".resource", resource, RESOURCES);
    }
    checkDivisor(at + ".divisor", resource, reference, problems);
  }

  private static boolean isOfHugePages(String resource) {
    return resource.startsWith("limits.hugepages-") || resource.startsWith("requests.hugepages-");
  }

  private static void checkDivisor(
      String at, String resource, Tree reference, ValidationErrors problems) {
    Optional<Quantity> divisor = QuantityValidation.parse(reference.at("divisor"));
    boolean known = RESOURCES.contains(resource) || isOfHugePages(resource);
    if (!known || divisor.isEmpty() || divisor.get().value().signum() == 0) {
      return;
    }
    List<String> units = resource.endsWith(".cpu") ? CPU_UNITS : BYTE_UNITS;
    if (!units.contains(divisor.get().toString())) {
      problems.invalid(
          at,
          divisor.get().toString(),
          "only one of %s is supported with %s".formatted(String.join(", ", units), resource));
    }
  }
}
