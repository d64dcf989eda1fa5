package dev.sluice.controllers.queueing.invariants;

import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Notes the promises that were broken at a moment to which nobody can go back, such as that of an
 * eviction, until somebody asks for them. Beyond a hundred it notes none.
 *
 * <p>Threads: safe.
 */
public final class BreachRecorder implements Consumer<String> {
  private static final int MOST = 100;

  private final ReentrantLock lock = new ReentrantLock();
  private final TreeSet<String> noted = new TreeSet<>();

  @Override
  public void accept(String broken) {
    lock.lock();
    try {
      if (noted.size() < MOST) {
        noted.add(broken);
      }
    } finally {
      lock.unlock();
    }
  }

  /** What was noted since somebody asked last. */
  public List<String> take() {
    lock.lock();
    try {
      List<String> taken = List.copyOf(noted);
      noted.clear();
      return taken;
    } finally {
      lock.unlock();
    }
  }
}
