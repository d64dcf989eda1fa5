package dev.sluice.controllers.nodes.local;

import dev.sluice.controllers.nodes.local.Containers.Run;
import dev.sluice.model.core.pod.Container;
import dev.sluice.model.core.pod.PodSpec;
import java.time.Instant;

/** The results of the probes of running containers. */
interface ProbeResults {

  /** Whether the startup probe has succeeded, so that other containers may follow. */
  boolean isStarted(Container container, Run run);

  /** Whether the container is ready. */
  boolean isReady(Container container, Run run);

  /** Whether the container should continue. */
  boolean isAlive(Container container, Run run);

  /** When a container that should not continue is killed if it does not end by itself. */
  Instant deadline(Container container, Run run, PodSpec pod);
}
