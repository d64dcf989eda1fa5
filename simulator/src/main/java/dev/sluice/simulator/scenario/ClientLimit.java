package dev.sluice.simulator.scenario;

import java.util.List;

/** A token bucket for the writes of some groups of controllers, as client-go has one. */
public record ClientLimit(List<String> controllers, double qps, int burst) {
  public ClientLimit {
    controllers = List.copyOf(controllers);
  }
}
