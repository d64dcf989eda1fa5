package dev.sluice.controllers.nodes.usage;

import dev.sluice.model.LruMap;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The cumulative usage, computed from the current usage: every reading adds its value for the time
 * since the reading before, and the first starts at zero. When there are too many counters, the
 * least recently read is dropped, and starts at zero again.
 *
 * <p>Threads: safe.
 */
final class UsageCounters {
  private static final int MAX_COUNTERS = 500_000;

  private record State(Instant read, BigDecimal sum) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, State> states = new LruMap<>(MAX_COUNTERS);

  /** The total of {@code meter} after it was found at {@code value}. */
  BigDecimal read(String meter, BigDecimal value, Instant now) {
    lock.lock();
    try {
      State before = states.get(meter);
      BigDecimal sum =
          before == null
              ? BigDecimal.ZERO
              : before.sum().add(value.multiply(seconds(before.read(), now)));
      states.put(meter, new State(now, sum));
      return sum;
    } finally {
      lock.unlock();
    }
  }

  private static BigDecimal seconds(Instant from, Instant to) {
    Duration between = Duration.between(from, to);
    return BigDecimal.valueOf(Math.max(0, between.toMillis()), 3);
  }
}
