package dev.sluice.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/**
 * Runs independent tasks at the same time, each on a virtual thread, with a bound on how many are
 * under way. The bound is shared by all callers, so that together they cannot flood a server.
 *
 * <p>Threads: safe. A caller that is interrupted interrupts its tasks and still waits for them.
 */
public final class SideBySide {
  private final Semaphore room;

  /**
   * @param most how many tasks may be under way at once
   */
  public SideBySide(int most) {
    this.room = new Semaphore(most);
  }

  /** Runs the tasks; returns once all are done, and throws what the first of them threw. */
  public void run(List<Runnable> tasks) {
    if (tasks.size() == 1) {
      tasks.getFirst().run();
      return;
    }
    var running = new ArrayList<Future<?>>(tasks.size());
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Runnable task : tasks) {
        running.add(threads.submit(() -> runWithRoom(task)));
      }
    }
    running.forEach(SideBySide::rethrow);
  }

  private void runWithRoom(Runnable task) {
    room.acquireUninterruptibly();
    try {
      task.run();
    } finally {
      room.release();
    }
  }

  /** All tasks have ended, so this does not wait. */
  private static void rethrow(Future<?> ended) {
    try {
      ended.get();
    } catch (ExecutionException failed) {
      switch (failed.getCause()) {
        case RuntimeException thrown -> throw thrown;
        case Error thrown -> throw thrown;
        case null, default -> throw new IllegalStateException(failed);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
