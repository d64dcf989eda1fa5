package dev.sluice.runtime;

/** Something that goes on until it is closed. Closing twice is fine. */
public interface Subscription extends AutoCloseable {
  @Override
  void close();
}
