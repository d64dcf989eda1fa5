package dev.sluice.controllers.nodes.local;

import dev.sluice.controllers.nodes.local.Containers.RunId;
import dev.sluice.controllers.nodes.local.Containers.State;
import dev.sluice.model.core.pod.Container;
import dev.sluice.model.core.pod.ContainerProcess.Hook;

/** One step that a pod needs now. */
sealed interface PodStep {
  /** Start a container. */
  record Start(Container container, RunId id) implements PodStep {}

  /** Run a hook of a container. */
  record RunHook(Container container, RunId id, Hook hook) implements PodStep {}

  /** Record that a hook failed. */
  record ReportFailure(Hook hook, State.Ended end) implements PodStep {}

  /** Send the stop signal to a run. */
  record Terminate(RunId id) implements PodStep {}

  /** Kill a run. */
  record Kill(RunId id) implements PodStep {}
}
