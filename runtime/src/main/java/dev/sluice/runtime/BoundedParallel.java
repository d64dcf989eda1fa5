package dev.sluice.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs independent tasks at the same time, on virtual threads, with a bound on how many are under
 * way. The bound is shared by all callers, so that together they cannot flood a server.
 *
 * <p>Threads: safe. A caller that is interrupted interrupts its tasks and still waits for them.
 */
public final class BoundedParallel {
  private final int most;
  private final Semaphore room;

  /**
   * @param most how many tasks may be under way at once
   */
  public BoundedParallel(int most) {
    this.most = most;
    this.room = new Semaphore(most);
  }

  /** Runs the tasks; returns once all are done, and throws what the first of them threw. */
  public void run(List<Runnable> tasks) {
    if (tasks.size() == 1) {
      tasks.getFirst().run();
      return;
    }
    var batch = new Batch(tasks);
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < Math.min(most, tasks.size()); i++) {
      threads.add(Thread.startVirtualThread(batch::work));
    }
    await(threads);
    batch.rethrow();
  }

  private static void await(List<Thread> threads) {
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException stop) {
          interrupted = true;
          threads.forEach(Thread::interrupt);
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The tasks of one caller, which its threads take one after the other. */
  private final class Batch {
    private final List<Runnable> tasks;
    private final AtomicInteger next = new AtomicInteger();
    private final ConcurrentSkipListMap<Integer, Throwable> failures =
        new ConcurrentSkipListMap<>();

    Batch(List<Runnable> tasks) {
      this.tasks = tasks;
    }

    void work() {
      for (int task = next.getAndIncrement(); task < tasks.size(); task = next.getAndIncrement()) {
        room.acquireUninterruptibly();
        try {
          tasks.get(task).run();
        } catch (RuntimeException | Error failed) {
          failures.put(task, failed);
        } finally {
          room.release();
        }
      }
    }

    void rethrow() {
      if (failures.isEmpty()) {
        return;
      }
      switch (failures.firstEntry().getValue()) {
        case RuntimeException thrown -> throw thrown;
        case Error thrown -> throw thrown;
        case Throwable impossible -> throw new IllegalStateException(impossible);
      }
    }
  }
}
