package dev.sluice.runtime;

import dev.sluice.model.ExponentialBackoff;
import dev.sluice.model.ObjectKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The keys that wait to be reconciled, each at most once and first come, first served. A key that
 * is added while it is being worked on comes back when that work is done.
 *
 * <p>Threads: none; its owner serialises all access.
 */
final class WorkQueue {
  private static final ExponentialBackoff RETRIES =
      new ExponentialBackoff(Duration.ofMillis(5), Duration.ofSeconds(30));

  private final LinkedHashSet<ObjectKey> waiting = new LinkedHashSet<>();
  private final Set<ObjectKey> working = new HashSet<>();
  private final Set<ObjectKey> addedMeanwhile = new HashSet<>();
  private final Map<ObjectKey, Integer> failures = new HashMap<>();

  void add(ObjectKey key) {
    if (working.contains(key)) {
      addedMeanwhile.add(key);
    } else {
      waiting.add(key);
    }
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** The next key, which from now on is being worked on. */
  Optional<ObjectKey> take() {
    if (waiting.isEmpty()) {
      return Optional.empty();
    }
    ObjectKey key = waiting.removeFirst();
    working.add(key);
    return Optional.of(key);
  }

  /** The work on a key is over. */
  void done(ObjectKey key) {
    working.remove(key);
    if (addedMeanwhile.remove(key)) {
      waiting.add(key);
    }
  }

  void succeeded(ObjectKey key) {
    failures.remove(key);
  }

  /** Counts a failure and says how long to wait: 5 ms, doubling up to 30 s. */
  Duration failed(ObjectKey key) {
    return RETRIES.delay(failures.merge(key, 1, Integer::sum));
  }
}
