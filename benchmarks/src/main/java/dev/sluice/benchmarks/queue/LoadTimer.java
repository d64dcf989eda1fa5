package dev.sluice.benchmarks.queue;

import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A timer that runs tasks at their times, each in a virtual thread, but at most a number of them at
 * once: the others wait, so that a slow server is not flooded.
 *
 * <p>Threads: safe.
 */
final class LoadTimer implements AutoCloseable {

  /** The listener that is notified of a failure. */
  interface Alarm {
    void raise(RuntimeException failure);
  }

  private final DelayQueue<Entry> entries = new DelayQueue<>();
  private final Semaphore places;
  private final Alarm alarm;
  private final Thread dispatcher;

  LoadTimer(String name, int atOnce, Alarm alarm) {
    this.places = new Semaphore(atOnce);
    this.alarm = alarm;
    this.dispatcher = Thread.ofVirtual().name(name).start(this::dispatch);
  }

  void at(long nanoTime, Runnable action) {
    entries.add(new Entry(nanoTime, action));
  }

  private void dispatch() {
    try {
      while (true) {
        Runnable action = entries.take().action;
        places.acquire();
        Thread.ofVirtual().start(() -> perform(action));
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private void perform(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException failed) {
      alarm.raise(failed);
    } finally {
      places.release();
    }
  }

  @Override
  public void close() {
    dispatcher.interrupt();
  }

  private record Entry(long nanoTime, Runnable action) implements Delayed {
    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(nanoTime - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.signum(nanoTime - ((Entry) other).nanoTime);
    }
  }
}
