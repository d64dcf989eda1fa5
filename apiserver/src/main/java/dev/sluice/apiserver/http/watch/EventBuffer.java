package dev.sluice.apiserver.http.watch;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The buffer between the store, which must not wait, and one watcher, which may be slow.
 *
 * <p>When it exceeds its limit, or its oldest event is no longer in the history of the store, the
 * watch has expired, and the client has to list again. So all buffers together hold no more than
 * the history does, which is bounded in bytes: events are shared with it.
 *
 * <p>Threads: safe; one thread takes.
 */
public final class EventBuffer {

  /** The next thing for the reader to do. */
  public sealed interface Signal {
    record Event(WatchEvent event) implements Signal {}

    /** It is time for a bookmark. */
    record Tick() implements Signal {}

    /** The watch ended normally: all earlier events were taken. */
    record End() implements Signal {}

    /** The watch ended because the watcher fell behind; the buffered events are lost. */
    record Overrun() implements Signal {}
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<WatchEvent> waiting = new ArrayDeque<>();
  private final int limit;
  private final LongSupplier oldest;
  private long allowance = Long.MAX_VALUE;
  private boolean ticked;
  private boolean ended;
  private boolean overrun;

  /**
   * @param limit how many events may wait
   * @param oldest the oldest revision in the history
   */
  public EventBuffer(int limit, LongSupplier oldest) {
    this.limit = limit;
    this.oldest = oldest;
  }

  /** Enables the limit. Events from the history before do not count against it. */
  public void live() {
    locked(() -> allowance = (long) waiting.size() + limit);
  }

  public void add(WatchEvent event) {
    locked(() -> {
      if (overrun || ended) {
        return;
      }
      if (waiting.size() >= allowance || isForgotten(waiting.peek())) {
        overrun = true;
        waiting.clear();
      } else {
        waiting.add(event);
      }
      changed.signal();
    });
  }

  /** What came from the history itself when the watch began is not counted. */
  private boolean isForgotten(@Nullable WatchEvent event) {
    return event != null && allowance < Long.MAX_VALUE && event.revision() < oldest.getAsLong();
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

  /** The next event, if one is buffered. */
  public Optional<WatchEvent> poll() {
    lock.lock();
    try {
      return Optional.ofNullable(waiting.poll());
    } finally {
      lock.unlock();
    }
  }

  /** Whether events were lost because the watcher fell behind. */
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
