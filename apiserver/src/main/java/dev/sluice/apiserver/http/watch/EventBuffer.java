package dev.sluice.apiserver.http.watch;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Events between the store, which must not wait, and one watcher, who may be slow. When more than
 * the limit are waiting, the watch is over: the watcher is told the stream has ended and comes back
 * from where it was.
 *
 * <p>Threads: safe; one thread takes.
 */
public final class EventBuffer {

  /** What there is to do for the taker. */
  public sealed interface Signal {
    record Event(WatchEvent event) implements Signal {}

    /** It is time for a bookmark. */
    record Tick() implements Signal {}

    /** The watch is over, in good order: everything before was taken. */
    record End() implements Signal {}

    /** The watch is over because the watcher fell behind, and what was waiting is lost. */
    record Overrun() implements Signal {}
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<WatchEvent> waiting = new ArrayDeque<>();
  private final int limit;
  private long allowance = Long.MAX_VALUE;
  private boolean ticked;
  private boolean ended;
  private boolean overrun;

  public EventBuffer(int limit) {
    this.limit = limit;
  }

  /** From now on the limit holds. What history brought before does not count against it. */
  public void live() {
    locked(() -> allowance = (long) waiting.size() + limit);
  }

  public void add(WatchEvent event) {
    locked(() -> {
      if (overrun || ended) {
        return;
      }
      if (waiting.size() >= allowance) {
        overrun = true;
        waiting.clear();
      } else {
        waiting.add(event);
      }
      changed.signal();
    });
  }

  public void tick() {
    locked(() -> {
      ticked = true;
      changed.signal();
    });
  }

  public void end() {
    locked(() -> {
      ended = true;
      changed.signal();
    });
  }

  /** Waits for the next signal. */
  public Signal take() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      Optional<Signal> next = next();
      while (next.isEmpty()) {
        changed.await();
        next = next();
      }
      return next.get();
    } finally {
      lock.unlock();
    }
  }

  /** The next event, if one is waiting. */
  public Optional<WatchEvent> poll() {
    lock.lock();
    try {
      return Optional.ofNullable(waiting.poll());
    } finally {
      lock.unlock();
    }
  }

  /** Whether something was lost because the watcher fell behind. */
  public boolean isOverrun() {
    lock.lock();
    try {
      return overrun;
    } finally {
      lock.unlock();
    }
  }

  private Optional<Signal> next() {
    if (overrun) {
      return Optional.of(new Signal.Overrun());
    }
    WatchEvent event = waiting.poll();
    if (event != null) {
      return Optional.of(new Signal.Event(event));
    }
    if (ended) {
      return Optional.of(new Signal.End());
    }
    if (ticked) {
      ticked = false;
      return Optional.of(new Signal.Tick());
    }
    return Optional.empty();
  }

  private void locked(Runnable action) {
    lock.lock();
    try {
      action.run();
    } finally {
      lock.unlock();
    }
  }
}
