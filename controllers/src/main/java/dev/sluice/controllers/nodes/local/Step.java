package dev.sluice.controllers.nodes.local;

import dev.sluice.controllers.nodes.local.Containers.RunId;
import dev.sluice.model.core.Container;

/** Something to be done for a pod now. */
sealed interface Step {
  /** Start a container. */
  record Start(Container container, RunId id) implements Step {}

  /** Run what a container wants to be run before it is asked to end. */
  record Prepare(Container container, RunId id) implements Step {}

  /** Ask a run to end. */
  record Terminate(RunId id) implements Step {}

  /** End a run. */
  record Kill(RunId id) implements Step {}
}
