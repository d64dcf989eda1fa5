package dev.sluice.kubernetes;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The writes whose answers are still to come, each with the objects that the watch has seen go
 * since it was sent. Without this, an answer that comes late would bring back what is gone.
 *
 * <p>Threads: safe.
 */
final class InFlightWrites {
  private final Set<Write> writes = ConcurrentHashMap.newKeySet();

  /** One write, from before it is sent until its answer is in the cache. */
  final class Write implements AutoCloseable {
    private final Set<String> gone = ConcurrentHashMap.newKeySet();

    private Write() {}

    /** Whether the watch has shown the deletion of this uid since the write was sent. */
    boolean outlived(String uid) {
      return gone.contains(uid);
    }

    @Override
    public void close() {
      writes.remove(this);
    }
  }

  Write begin() {
    var write = new Write();
    writes.add(write);
    return write;
  }

  /** The watch has shown the deletion of the object with this uid. */
  void gone(String uid) {
    writes.forEach(write -> write.gone.add(uid));
  }
}
