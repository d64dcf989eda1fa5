package dev.sluice.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Time that advances only on demand. Tasks due at the same time run in the order in which they were
 * asked for.
 *
 * <p>Threads: none; it belongs to the thread that drives the simulation.
 */
public final class VirtualTime implements TimeSource {

  private record Task(Instant due, long order, Runnable action) {}

  private final TreeSet<Task> tasks =
      new TreeSet<>(Comparator.comparing(Task::due).thenComparingLong(Task::order));
  private Instant now;
  private long asked;

  public VirtualTime(Instant start) {
    this.now = start;
  }

  @Override
  public Instant now() {
    return now;
  }

  @Override
  public Subscription after(Duration delay, Runnable task) {
    Instant due = delay.isNegative() ? now : now.plus(delay);
    var added = new Task(due, asked++, task);
    tasks.add(added);
    return () -> tasks.remove(added);
  }

  /** When the next task is due, if there is one. */
  public Optional<Instant> next() {
    return tasks.isEmpty() ? Optional.empty() : Optional.of(tasks.first().due());
  }

  /** Advances to the time of the next task and runs it. */
  public void step() {
    Task task = tasks.removeFirst();
    now = task.due();
    task.action().run();
  }
}
