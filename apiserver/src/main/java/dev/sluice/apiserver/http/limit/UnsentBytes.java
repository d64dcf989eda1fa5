package dev.sluice.apiserver.http.limit;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The bytes of streams that wait for their clients to read. Above a limit the stream that has
 * waited longest is cut off, until the rest is below it. Threads: safe.
 */
public final class UnsentBytes {
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<Part> waiting = new LinkedHashSet<>();
  private final long limit;
  private long sum;

  public UnsentBytes(long limit) {
    this.limit = limit;
  }

  /** A part of a stream that is being written; closed when it is written. */
  public final class Part implements AutoCloseable {
    private final long bytes;
    private final Runnable cut;

    private Part(long bytes, Runnable cut) {
      this.bytes = bytes;
      this.cut = cut;
    }

    @Override
    public void close() {
      lock.lock();
      try {
        remove(this);
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Enters a part that is about to be written.
   *
   * @param cut ends the write, from any thread
   */
  public Part enter(long bytes, Runnable cut) {
    var part = new Part(bytes, cut);
    lock.lock();
    try {
      while (sum + bytes > limit && !waiting.isEmpty()) {
        Part longest = waiting.iterator().next();
        remove(longest);
        longest.cut.run();
      }
      waiting.add(part);
      sum += bytes;
    } finally {
      lock.unlock();
    }
    return part;
  }

  private void remove(Part part) {
    if (waiting.remove(part)) {
      sum -= part.bytes;
    }
  }
}
