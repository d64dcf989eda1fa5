package dev.sluice.apiserver.http.watch;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The open watches, so that all of them can be ended. Threads: safe. */
public final class OpenWatches {
  private final Set<EventBuffer> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  public void add(EventBuffer watch) {
    open.add(watch);
    if (closed) {
      watch.end();
    }
  }

  public void remove(EventBuffer watch) {
    open.remove(watch);
  }

  /** Whether long-running requests should end. */
  public boolean areEnding() {
    return closed;
  }

  /** Ends all watches, and from now on every new one at once. */
  public void endAll() {
    closed = true;
    open.forEach(EventBuffer::end);
  }
}
