package dev.sluice.controllers.nodes.local;

import dev.sluice.model.ExponentialBackoff;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The back-off of containers that keep ending: none the first time, then 10 s from the end,
 * doubling each time up to 5 minutes, and reset after 10 minutes without an end.
 *
 * <p>Kept in memory only: after a restart of the node no container has to wait.
 */
final class RestartBackoff {
  private static final ExponentialBackoff DELAYS =
      new ExponentialBackoff(Duration.ofSeconds(10), Duration.ofMinutes(5));
  private static final Duration FORGIVEN = Duration.ofMinutes(10);

  private record Restarts(int count, Instant latest) {}

  /** By container, of one pod. */
  private final TreeMap<String, Restarts> restarts = new TreeMap<>();

  /** How long the container must wait after its latest end, which was at {@code finished}. */
  Duration delay(String container, Instant finished) {
    int count = count(container, finished);
    return count == 0 ? Duration.ZERO : DELAYS.delay(count);
  }

  /** Notes that the container is started again. */
  void restarted(String container, Instant finished, Instant now) {
    restarts.put(container, new Restarts(count(container, finished) + 1, now));
  }

  private int count(String container, Instant finished) {
    return Optional.ofNullable(restarts.get(container))
        .filter(known -> Duration.between(known.latest(), finished).compareTo(FORGIVEN) <= 0)
        .map(Restarts::count)
        .orElse(0);
  }
}
