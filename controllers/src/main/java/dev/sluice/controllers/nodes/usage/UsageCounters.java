package dev.sluice.controllers.nodes.usage;

import dev.sluice.model.LruMap;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What was used until now, of what is used at each moment: every reading adds its value for the
 * time since the reading before, and the first begins with nothing. Whoever was not read for
 * longest is forgotten when there are too many, and begins anew.
 *
 * <p>Threads: safe.
 */
final class UsageCounters {
  private static final int MOST = 500_000;

  private record State(Instant read, BigDecimal sum) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, State> states = new LruMap<>(MOST);

  /** What {@code meter} shows after it was found at {@code value}. */
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
