package dev.sluice.controllers.nodes.local;

import dev.sluice.controllers.nodes.local.Containers.Run;
import dev.sluice.model.core.Container;
import dev.sluice.model.core.PodSpec;
import java.time.Instant;
import java.util.Optional;

final class Probes implements Health {
  @Override
  public boolean isStarted(Container container, Run run) {
    return true;
  }

  @Override
  public boolean isReady(Container container, Run run) {
    return true;
  }

  @Override
  public boolean isAlive(Container container, Run run) {
    return true;
  }

  @Override
  public Instant deadline(Container container, Run run, PodSpec pod) {
    return Instant.MAX;
  }

  Optional<Instant> next(Instant now, Optional<Instant> other) {
    return other;
  }
}
