package dev.sluice.controllers.nodes.local;

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
  private static final Duration FIRST = Duration.ofSeconds(10);
  private static final Duration LONGEST = Duration.ofMinutes(5);
  private static final Duration FORGIVEN = Duration.ofMinutes(10);

  private record Wait(Duration delay, Instant since) {}

  /** By container, of one pod. */
  private final TreeMap<String, Wait> waits = new TreeMap<>();

  /** How long the container must wait after its latest end, which was at {@code finished}. */
  Duration delay(String container, Instant finished) {
    return known(container, finished).map(Wait::delay).orElse(Duration.ZERO);
  }

  /** Notes that the container is started again. */
  void restarted(String container, Instant finished, Instant now) {
    Duration next =
        known(container, finished)
            .map(wait -> wait.delay().multipliedBy(2))
            .filter(twice -> twice.compareTo(LONGEST) < 0)
            .orElse(known(container, finished).isPresent() ? LONGEST : FIRST);
    waits.put(container, new Wait(next, now));
  }

  private Optional<Wait> known(String container, Instant finished) {
    return Optional.ofNullable(waits.get(container))
        .filter(wait -> Duration.between(wait.since(), finished).compareTo(FORGIVEN) <= 0);
  }
}
