package dev.sluice.apiserver.registry.rules;

import dev.sluice.model.Problems;
import dev.sluice.model.Quantity;
import dev.sluice.model.Syntax;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What is wrong with the containers of a pod. */
final class ContainerValidation {
  private static final long MAX_PORT = 65535;
  private static final List<String> PULL_POLICIES = List.of("Always", "IfNotPresent", "Never");
  private static final List<String> MESSAGE_POLICIES = List.of("FallbackToLogsOnError", "File");
  private static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");

  private final Set<String> names;
  private final Set<String> volumes;
  private final Problems problems;

  /**
   * @param names the names that are taken in the pod; those of checked containers are added
   * @param volumes the volumes of the pod
   */
  ContainerValidation(Set<String> names, Set<String> volumes, Problems problems) {
    this.names = names;
    this.volumes = volumes;
    this.problems = problems;
  }

  void check(String field, List<Tree> containers) {
    for (int i = 0; i < containers.size(); i++) {
      check(field + "[" + i + "]", containers.get(i));
    }
  }

  private void check(String field, Tree container) {
    checkName(field + ".name", container.text("name"));
    if (container.text("image").isEmpty()) {
      problems.required(field + ".image", "");
    }
    problems.oneOf(field + ".imagePullPolicy", container.text("imagePullPolicy"), PULL_POLICIES);
    problems.oneOf(
        field + ".terminationMessagePolicy",
        container.text("terminationMessagePolicy"),
        MESSAGE_POLICIES);
    checkPorts(field + ".ports", container.trees("ports"));
    checkEnvironment(field + ".env", container.trees("env"));
    checkMounts(field + ".volumeMounts", container.trees("volumeMounts"));
    resources(field + ".resources", container.tree("resources"), problems);
  }

  private void checkName(String field, String name) {
    if (name.isEmpty()) {
      problems.required(field, "");
      return;
    }
    problems.invalidIf(Syntax.labelProblem(name), field, name);
    if (!names.add(name)) {
      problems.duplicate(field, name);
    }
  }

  private void checkPorts(String field, List<Tree> ports) {
    for (int i = 0; i < ports.size(); i++) {
      String at = field + "[" + i + "]";
      long number = ports.get(i).whole("containerPort").orElse(0);
      if (number == 0) {
        problems.required(at + ".containerPort", "");
      } else if (number < 1 || number > MAX_PORT) {
        problems.invalid(at + ".containerPort", number, "must be between 1 and 65535, inclusive");
      }
      problems.oneOf(at + ".protocol", ports.get(i).text("protocol"), PROTOCOLS);
    }
  }

  private void checkEnvironment(String field, List<Tree> variables) {
    for (int i = 0; i < variables.size(); i++) {
      String name = variables.get(i).text("name");
      String at = field + "[" + i + "]";
      if (name.isEmpty()) {
        problems.required(at + ".name", "");
      } else if (name.indexOf('=') >= 0) {
        problems.invalid(at + ".name", name, "must not contain '='");
      }
      if (!variables.get(i).text("value").isEmpty() && variables.get(i).has("valueFrom")) {
        problems.invalid(at + ".valueFrom", "", "may not be specified when `value` is not empty");
      }
    }
  }

  private void checkMounts(String field, List<Tree> mounts) {
    for (int i = 0; i < mounts.size(); i++) {
      String at = field + "[" + i + "]";
      String volume = mounts.get(i).text("name");
      if (!volumes.contains(volume)) {
        problems.notFound(at + ".name", volume);
      }
      if (mounts.get(i).text("mountPath").isEmpty()) {
        problems.required(at + ".mountPath", "");
      }
    }
  }

  /** Checks requests and limits, of a container or of a pod as a whole. */
  static void resources(String field, Tree resources, Problems problems) {
    Tree limits = resources.tree("limits");
    Tree requests = resources.tree("requests");
    Quantities.check(field + ".limits", limits, problems);
    Quantities.check(field + ".requests", requests, problems);
    for (String resource : requests.names()) {
      Optional<Quantity> request = Quantities.parse(requests.at(resource));
      Optional<Quantity> limit = Quantities.parse(limits.at(resource));
      if (request.isPresent() && limit.isPresent()) {
        checkRequest(field + ".requests", resource, request.get(), limit.get(), problems);
      } else if (request.isPresent() && !limits.has(resource) && !isShared(resource)) {
        problems.required(
            field + ".limits", "a limit must be set for " + resource + ", which is not shared");
      }
    }
  }

  private static void checkRequest(
      String field, String resource, Quantity request, Quantity limit, Problems problems) {
    boolean shared = isShared(resource);
    int order = request.compareTo(limit);
    if (shared ? order > 0 : order != 0) {
      String relation = shared ? "less than or equal to" : "equal to";
      problems.invalid(
          field,
          request.toString(),
          "must be %s %s limit of %s".formatted(relation, resource, limit));
    }
  }

  /** Devices and huge pages are given as a whole: their limit is their request. */
  private static boolean isShared(String resource) {
    return !resource.startsWith("hugepages-")
        && (!resource.contains("/") || resource.startsWith("kubernetes.io/"));
  }
}
