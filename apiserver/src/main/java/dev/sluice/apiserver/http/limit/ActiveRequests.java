package dev.sluice.apiserver.http.limit;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The requests in flight, so that a server that stops can wait for them. Threads: safe. */
public final class ActiveRequests {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition finished = lock.newCondition();
  private int count;
  private boolean closed;

  /** Whether a request may start. One that may must {@link #leave}. */
  public boolean enter() {
    lock.lock();
    try {
      count += closed ? 0 : 1;
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  public void leave() {
    lock.lock();
    try {
      count--;
      finished.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Lets no more requests start, and waits some time for those in flight. */
  public void close(Duration patience) throws InterruptedException {
    long nanos = patience.toNanos();
    lock.lockInterruptibly();
    try {
      closed = true;
      while (count > 0 && nanos > 0) {
        nanos = finished.awaitNanos(nanos);
      }
    } finally {
      lock.unlock();
    }
  }
}
