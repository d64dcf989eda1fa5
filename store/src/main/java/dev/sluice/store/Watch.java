package dev.sluice.store;

/** A subscription to changes. Threads: safe. */
public interface Watch extends AutoCloseable {

  /** Every change of the kind up to this revision has been handed to the listener. */
  long progress();

  /** Ends the subscription: the listener is not called again. */
  @Override
  void close();
}
