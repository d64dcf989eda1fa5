package dev.sluice.controllers.nodes.local;

import dev.sluice.controllers.nodes.local.Containers.Run;
import dev.sluice.model.core.pod.Container;
import dev.sluice.model.core.pod.PodSpec;
import java.time.Instant;

/** What the probes of running containers have found out. */
interface ProbeResults {

  /** Whether the container has finished to start, so that others may follow. */
  boolean isStarted(Container container, Run run);

  /** Whether it may be used. */
  boolean isReady(Container container, Run run);

  /** Whether it should go on. */
  boolean isAlive(Container container, Run run);

  /** When a container that should not go on is killed if it does not end by itself. */
  Instant deadline(Container container, Run run, PodSpec pod);
}
