package dev.sluice.apiserver.registry.rules.pod;

import dev.sluice.model.NameSyntax;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/** The validation of the containers of a pod. */
final class ContainerValidation {
  private static final List<String> PULL_POLICIES = List.of("Always", "IfNotPresent", "Never");
  private static final List<String> MESSAGE_POLICIES = List.of("FallbackToLogsOnError", "File");
  private static final List<String> RESIZABLE = List.of("cpu", "memory");
  private static final List<String> RESIZINGS = List.of("NotRequired", "RestartContainer");
  private static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");

  private final Set<String> names = new TreeSet<>();
  private final Tree spec;
  private final EnvironmentValidation variables;
  private final MountValidation mounts;
  private final HandlerValidation handlers;
  private final ValidationErrors problems;

  /**
   * @param spec the spec of the pod
   * @param volumes its volumes by name
   */
  ContainerValidation(Tree spec, SortedMap<String, Tree> volumes, ValidationErrors problems) {
    this.spec = spec;
    this.variables = new EnvironmentValidation(spec.trees("volumes"), problems);
    this.mounts = new MountValidation(volumes, problems);
    this.handlers =
        new HandlerValidation(spec.whole("terminationGracePeriodSeconds").orElse(0), problems);
    this.problems = problems;
  }

  /** Validates the regular containers of a pod. */
  void check(String field, List<Tree> containers) {
    var hostPorts = new TreeSet<String>();
    for (int i = 0; i < containers.size(); i++) {
      String at = field + "[" + i + "]";
      check(at, containers.get(i));
      handlers.check(at, containers.get(i));
      checkHostPorts(at + ".ports", containers.get(i).trees("ports"), hostPorts);
    }
  }

  /** Validates init containers, of which only sidecars may have probes and hooks. */
  void checkInit(String field, List<Tree> containers) {
    for (int i = 0; i < containers.size(); i++) {
      String at = field + "[" + i + "]";
      Tree container = containers.get(i);
      check(at, container);
      if (container.text("restartPolicy").equals("Always")) {
        handlers.check(at, container);
      } else {
        forbidHandlers(at, container);
      }
      checkHostPorts(at + ".ports", container.trees("ports"), new TreeSet<>());
    }
  }

  private void forbidHandlers(String at, Tree container) {
    if (container.has("lifecycle")) {
      forbidHandler(at + ".lifecycle");
    }
    for (String probe : HandlerValidation.PROBES) {
      if (container.has(probe)) {
        forbidHandler(at + "." + probe);
      }
    }
  }

  private void forbidHandler(String at) {
    problems.forbidden(at, "may not be set for init containers without restartPolicy=Always");
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
    variables.check(field, container);
    mounts.check(field, container);
    RestartValidation.check(field, container, problems);
    SecurityValidation.checkContainer(
        field + ".securityContext", container.tree("securityContext"), problems);
    ResourceValidation.checkContainer(field + ".resources", container.tree("resources"), problems);
    checkClaims(field + ".resources.claims", container.trees("resources", "claims"));
    checkResizing(field + ".resizePolicy", container.trees("resizePolicy"));
  }

  private void checkClaims(String field, List<Tree> claims) {
    for (int i = 0; i < claims.size(); i++) {
      String name = claims.get(i).text("name");
      boolean known =
          spec.trees("resourceClaims").stream().anyMatch(each -> each.text("name").equals(name));
      if (!known) {
        problems.notFound(field + "[" + i + "]", name);
      }
    }
  }

  private void checkResizing(String field, List<Tree> policies) {
    var resized = new TreeSet<String>();
    boolean never = spec.text("restartPolicy").equals("Never");
    for (int i = 0; i < policies.size(); i++) {
      String resource = policies.get(i).text("resourceName");
      String restart = policies.get(i).text("restartPolicy");
      if (!resized.add(resource)) {
        problems.duplicate(field + "[" + i + "]", resource);
      }
      problems.oneOf(field, resource, RESIZABLE);
      problems.oneOf(field, restart, RESIZINGS);
      if (never && !restart.equals("NotRequired")) {
        problems.invalid(
            field, restart, "must be 'NotRequired' when pod `restartPolicy` is 'Never'");
      }
    }
  }

  private void checkName(String field, String name) {
    if (name.isEmpty()) {
      problems.required(field, "");
      return;
    }
    problems.invalidIf(NameSyntax.labelProblem(name), field, name);
    if (!names.add(name)) {
      problems.duplicate(field, name);
    }
  }

  private void checkPorts(String field, List<Tree> ports) {
    var taken = new TreeSet<String>();
    for (int i = 0; i < ports.size(); i++) {
      String at = field + "[" + i + "]";
      Tree port = ports.get(i);
      String name = port.text("name");
      if (!name.isEmpty()) {
        problems.invalidIf(NameSyntax.portNameProblem(name), at + ".name", name);
        if (!taken.add(name)) {
          problems.duplicate(at + ".name", name);
        }
      }
      long number = port.whole("containerPort").orElse(0);
      if (number == 0) {
        problems.required(at + ".containerPort", "");
      } else {
        problems.invalidIf(NameSyntax.portProblem(number), at + ".containerPort", number);
      }
      long mapped = port.whole("hostPort").orElse(0);
      if (mapped != 0) {
        problems.invalidIf(NameSyntax.portProblem(mapped), at + ".hostPort", mapped);
      }
      if (mapped != 0 && mapped != number && spec.flag("hostNetwork")) {
        problems.invalid(
            at + ".hostPort", mapped, "must match `containerPort` when `hostNetwork` is true");
      }
      problems.oneOf(at + ".protocol", port.text("protocol"), PROTOCOLS);
    }
  }

  /** Validates that no host port is used twice. */
  private void checkHostPorts(String field, List<Tree> ports, Set<String> taken) {
    for (int i = 0; i < ports.size(); i++) {
      Tree port = ports.get(i);
      long number = port.whole("hostPort").orElse(0);
      String same = "%s/%s/%d".formatted(port.text("protocol"), port.text("hostIP"), number);
      if (number != 0 && !taken.add(same)) {
        problems.duplicate("%s[%d].hostPort".formatted(field, i), same);
      }
    }
  }
}
