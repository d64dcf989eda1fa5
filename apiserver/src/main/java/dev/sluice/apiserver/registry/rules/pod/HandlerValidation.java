package dev.sluice.apiserver.registry.rules.pod;

import dev.sluice.model.NameSyntax;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.List;
import java.util.regex.Pattern;

/** The validation of a container's probes and lifecycle hooks. */
final class HandlerValidation {
  static final List<String> PROBES = List.of("livenessProbe", "readinessProbe", "startupProbe");
  private static final List<String> TYPES =
      List.of("exec", "httpGet", "tcpSocket", "grpc", "sleep");
  private static final List<String> NUMBERS =
      List.of(
          "initialDelaySeconds",
          "timeoutSeconds",
          "periodSeconds",
          "successThreshold",
          "failureThreshold");
  private static final Pattern HEADER = Pattern.compile("[-A-Za-z0-9]+");

  private final long grace;
  private final ValidationErrors problems;

  /**
   * @param grace the termination grace period of the pod, in seconds
   */
  HandlerValidation(long grace, ValidationErrors problems) {
    this.grace = grace;
    this.problems = problems;
  }

  void check(String field, Tree container) {
    for (String probe : PROBES) {
      if (container.has(probe)) {
        checkProbe(field + "." + probe, probe, container.tree(probe));
      }
    }
    for (String hook : List.of("postStart", "preStop")) {
      Tree lifecycle = container.tree("lifecycle");
      if (lifecycle.has(hook)) {
        checkHandler(field + ".lifecycle." + hook, lifecycle.tree(hook));
      }
    }
  }

  private void checkProbe(String at, String name, Tree probe) {
    checkHandler(at, probe);
    for (String number : NUMBERS) {
      problems.notNegative(at + "." + number, probe.whole(number).orElse(0));
    }
    boolean readiness = name.equals("readinessProbe");
    long successes = probe.whole("successThreshold").orElse(1);
    if (!readiness && successes != 1) {
      problems.invalid(at + ".successThreshold", successes, "must be 1");
    }
    if (probe.has("terminationGracePeriodSeconds")) {
      long own = probe.whole("terminationGracePeriodSeconds").orElse(0);
      String field = at + ".terminationGracePeriodSeconds";
      if (own <= 0) {
        problems.invalid(field, own, "must be greater than 0");
      }
      if (readiness) {
        problems.invalid(field, own, "must not be set for readinessProbes");
      }
    }
  }

  private void checkHandler(String at, Tree handler) {
    List<String> given = TYPES.stream().filter(handler::has).toList();
    if (given.isEmpty()) {
      problems.required(at, "must specify a handler type");
      return;
    }
    checkAction(at + "." + given.getFirst(), given.getFirst(), handler.tree(given.getFirst()));
    given.stream()
        .skip(1)
        .forEach(type ->
            problems.forbidden(at + "." + type, "may not specify more than 1 handler type"));
  }

  private void checkAction(String at, String type, Tree action) {
    switch (type) {
      case "exec" -> {
        if (action.items("command").isEmpty()) {
          problems.required(at + ".command", "");
        }
      }
      case "httpGet" -> checkPage(at, action);
      case "sleep" -> {
        long seconds = action.whole("seconds").orElse(0);
        if (seconds < 0 || seconds > grace) {
          problems.invalid(
              at,
              seconds,
              "must be non-negative and at most terminationGracePeriodSeconds (%d)"
                  .formatted(grace));
        }
      }
      default -> checkPort(at + ".port", action.at("port"));
    }
  }

  private void checkPage(String at, Tree page) {
    if (page.text("path").isEmpty()) {
      problems.required(at + ".path", "");
    }
    checkPort(at + ".port", page.at("port"));
    problems.oneOf(at + ".scheme", page.text("scheme"), List.of("HTTP", "HTTPS"));
    for (Tree header : page.trees("httpHeaders")) {
      if (!HEADER.matcher(header.text("name")).matches()) {
        problems.invalid(
            at + ".httpHeaders",
            header.text("name"),
            "a header's name must consist of letters, digits and '-'");
      }
    }
  }

  /** Validates a port, given by its number or by its name in the container. */
  private void checkPort(String at, Value port) {
    if (port instanceof Value.Text(String name)) {
      problems.invalidIf(NameSyntax.portNameProblem(name), at, name);
    } else {
      long number = port instanceof Value.Whole(long given) ? given : 0;
      problems.invalidIf(NameSyntax.portProblem(number), at, number);
    }
  }
}
