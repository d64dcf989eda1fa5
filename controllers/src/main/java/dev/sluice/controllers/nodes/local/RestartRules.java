package dev.sluice.controllers.nodes.local;

import dev.sluice.controllers.nodes.local.Containers.State;
import dev.sluice.model.core.Container;
import dev.sluice.model.core.ContainerProcess;
import dev.sluice.model.core.PodSpec;

/** Whether a container that ended is started again: its own rules first, then its pod's. */
final class RestartRules {
  private RestartRules() {}

  static boolean mayRestart(PodSpec pod, Container container, State.Ended ended) {
    var process = ContainerProcess.of(container);
    boolean byRule =
        process.restartRules().stream().anyMatch(rule -> rule.matches(ended.exitCode()));
    String own = process.restartPolicy();
    return byRule
        || switch (own.isEmpty() ? pod.restartPolicy() : own) {
          case "Never" -> false;
          case "OnFailure" -> ended.exitCode() != 0;
          default -> true;
        };
  }

  /** The same for an init container, which has done its work once it ended well. */
  static boolean mayRestartInit(PodSpec pod, Container container, State.Ended ended) {
    return container.isSidecar() || (ended.exitCode() != 0 && mayRestart(pod, container, ended));
  }
}
