package dev.sluice.controllers.nodes.local;

import dev.sluice.controllers.nodes.local.Containers.RunId;
import dev.sluice.controllers.nodes.local.Containers.State;
import dev.sluice.model.core.pod.Container;
import dev.sluice.model.core.pod.ContainerProcess.Hook;

/** Something to be done for a pod now. */
sealed interface PodStep {
  /** Start a container. */
  record Start(Container container, RunId id) implements PodStep {}

  /** Run what a container wants to be run beside it. */
  record RunHook(Container container, RunId id, Hook hook) implements PodStep {}

  /** Tell that a hook failed. */
  record TellFailure(Hook hook, State.Ended end) implements PodStep {}

  /** Ask a run to end. */
  record Terminate(RunId id) implements PodStep {}

  /** End a run. */
  record Kill(RunId id) implements PodStep {}
}
