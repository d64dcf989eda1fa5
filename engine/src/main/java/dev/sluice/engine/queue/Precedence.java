package dev.sluice.engine.queue;

import java.time.Instant;

/**
 * What decides a workload's position in its queue. The natural order is that of the queue: higher
 * priorities first, then the oldest.
 *
 * @param priority with any boost
 * @param since the timestamp that the workload is queued by: mostly its creation
 */
public record Precedence(long priority, Instant since) implements Comparable<Precedence> {

  @Override
  public int compareTo(Precedence other) {
    return priority != other.priority
        ? Long.compare(other.priority, priority)
        : since.compareTo(other.since);
  }
}
