package dev.sluice.controllers.nodes.local;

import dev.sluice.controllers.nodes.local.Containers.State;
import dev.sluice.model.core.pod.Container;
import dev.sluice.model.core.pod.ContainerProcess;
import dev.sluice.model.core.pod.ContainerProcess.RestartRule;
import dev.sluice.model.core.pod.PodSpec;
import java.util.Optional;

/**
 * The decision whether a container that ended is restarted: its own rules first, then its pod's
 * policy.
 */
final class RestartRules {
  private RestartRules() {}

  static boolean mayRestart(PodSpec pod, Container container, State.Ended ended) {
    String own = ContainerProcess.of(container).restartPolicy();
    return rule(container, ended).isPresent()
        || switch (own.isEmpty() ? pod.restartPolicy() : own) {
          case "Never" -> false;
          case "OnFailure" -> ended.exitCode() != 0;
          default -> true;
        };
  }

  /** The first rule of the container that matches its end. */
  static Optional<RestartRule> rule(Container container, State.Ended ended) {
    return ContainerProcess.of(container).restartRules().stream()
        .filter(rule -> rule.matches(ended.exitCode()))
        .findFirst();
  }

  /** The same for an init container, which is done once it has succeeded. */
  static boolean mayRestartInit(PodSpec pod, Container container, State.Ended ended) {
    return container.isSidecar() || (ended.exitCode() != 0 && mayRestart(pod, container, ended));
  }
}
