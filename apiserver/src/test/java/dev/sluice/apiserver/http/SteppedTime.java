package dev.sluice.apiserver.http;

import dev.sluice.runtime.Subscription;
import dev.sluice.runtime.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Time that a test moves, while others wait for it. Threads: safe. */
final class SteppedTime implements TimeSource {

  private record Task(Instant due, Runnable action) {}

  private final List<Task> tasks = new ArrayList<>();
  // TLS looks at the real clock, so certificates must be valid on both.
  private Instant now = Instant.now();

  @Override
  public synchronized Instant now() {
    return now;
  }

  @Override
  public synchronized Subscription after(Duration delay, Runnable action) {
    var task = new Task(now.plus(delay), action);
    tasks.add(task);
    return () -> remove(task);
  }

  private synchronized void remove(Task task) {
    tasks.remove(task);
  }

  /** Whether somebody waits for a moment that is so far away or nearer. */
  synchronized boolean waitsWithin(Duration delay) {
    return tasks.stream().anyMatch(task -> !task.due().isAfter(now.plus(delay)));
  }

  void advance(Duration step) {
    due(step).forEach(task -> task.action().run());
  }

  private synchronized List<Task> due(Duration step) {
    now = now.plus(step);
    List<Task> due =
        tasks.stream()
            .filter(task -> !task.due().isAfter(now))
            .sorted(Comparator.comparing(Task::due))
            .toList();
    tasks.removeAll(due);
    return due;
  }
}
