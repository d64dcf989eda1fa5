package dev.sluice.controllers.nodes.local;

import dev.sluice.controllers.nodes.local.Containers.RunId;
import dev.sluice.controllers.nodes.local.Containers.State;
import dev.sluice.model.core.pod.Container;
import dev.sluice.model.core.pod.ContainerProcess.Hook;

/** Something to be done for a pod now. */
sealed interface Step {
  /** Start a container. */
  record Start(Container container, RunId id) implements Step {}

  /** Run what a container wants to be run beside it. */
  record RunHook(Container container, RunId id, Hook hook) implements Step {}

  /** Tell that a hook failed. */
  record TellFailure(Hook hook, State.Ended end) implements Step {}

  /** Ask a run to end. */
  record Terminate(RunId id) implements Step {}

  /** End a run. */
  record Kill(RunId id) implements Step {}
}
