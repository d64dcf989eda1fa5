package dev.sluice.store;

/** A subscription to changes. Threads: safe. */
public interface Watch extends AutoCloseable {

  /** Every change of the kind up to this revision has been handed to the listener. */
  long progress();

  /**
   * Ends the subscription: the listener is not called again. Waits for a call that another thread
   * has under way, so do not hold a lock that the listener takes.
   */
  @Override
  void close();
}
