package dev.sluice.controllers.queueing.invariants;

import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A recorder of violated invariants that can only be seen when they happen, such as at an eviction,
 * until {@link #take} is called. It keeps at most a hundred.
 *
 * <p>Threads: safe.
 */
public final class BreachRecorder implements Consumer<String> {
  private static final int MAX = 100;

  private final ReentrantLock lock = new ReentrantLock();
  private final TreeSet<String> breaches = new TreeSet<>();

  @Override
  public void accept(String breach) {
    lock.lock();
    try {
      if (breaches.size() < MAX) {
        breaches.add(breach);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns the recorded breaches, and removes them. */
  public List<String> take() {
    lock.lock();
    try {
      List<String> taken = List.copyOf(breaches);
      breaches.clear();
      return taken;
    } finally {
      lock.unlock();
    }
  }
}
