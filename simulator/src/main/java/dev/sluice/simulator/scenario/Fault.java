package dev.sluice.simulator.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Something that goes wrong, at given times or at random.
 *
 * @param at the times since the start; none if it has a rate
 * @param perDay the mean rate of a fault at random; zero if it has times
 * @param until no fault at random comes after this time
 * @param lasting how long it lasts; zero for a restart, which is over at once
 */
public record Fault(
    Kind kind, List<Duration> at, double perDay, Optional<Duration> until, Duration lasting) {

  public Fault {
    at = List.copyOf(at);
  }

  /** The kinds of faults. */
  public sealed interface Kind {
    /** Some nodes of a pool are gone with their pods, and come back empty. */
    record NodeDown(String pool, int count) implements Kind {}

    /** No client can write, and watches deliver nothing. */
    record ApiOutage() implements Kind {}

    /** All controllers stop at once and start from what the objects say. */
    record ControllerRestart() implements Kind {}

    /** Watches deliver everything so much later. */
    record SlowWatch(Duration delay) implements Kind {}
  }
}
