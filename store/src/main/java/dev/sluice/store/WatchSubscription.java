package dev.sluice.store;

import dev.sluice.model.ResourceKind;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One watch: hands changes to its listener until it is closed or the listener throws.
 *
 * <p>Threads: safe. A private lock is held while the listener runs, so that nothing is handed over
 * once {@link #close()} has returned; a listener may close its own watch.
 */
final class WatchSubscription implements Watch {
  private static final Logger LOG = LoggerFactory.getLogger(WatchSubscription.class);

  private final ResourceKind kind;
  private final Consumer<Change> listener;
  private final LongSupplier delivered;
  private final Consumer<WatchSubscription> onClose;
  private final ReentrantLock calling = new ReentrantLock();
  private volatile boolean open = true;
  private volatile long handed;

  /**
   * @param caughtUp the revision up to which the listener knows everything
   * @param delivered the revision up to which every open watch has been handed everything
   */
  WatchSubscription(
      ResourceKind kind,
      long caughtUp,
      Consumer<Change> listener,
      LongSupplier delivered,
      Consumer<WatchSubscription> onClose) {
    this.kind = kind;
    this.handed = caughtUp;
    this.listener = listener;
    this.delivered = delivered;
    this.onClose = onClose;
  }

  /** Hands a change over, unless the watch is closed or its listener knows the change already. */
  void hand(Change change) {
    calling.lock();
    try {
      if (open && change.revision() > handed) {
        listener.accept(change);
        handed = change.revision();
      }
    } catch (RuntimeException | Error broken) {
      // A listener may be anyone's code; its failure must not cost others their changes.
      LOG.error("closing a watch of {}: its listener failed on {}", kind, change.key(), broken);
      close();
    } finally {
      calling.unlock();
    }
  }

  @Override
  public long progress() {
    // In this order: a watch still open after the reading was open while all that was delivered.
    long everywhere = delivered.getAsLong();
    return open ? Math.max(everywhere, handed) : handed;
  }

  @Override
  public void close() {
    calling.lock();
    try {
      handed = progress();
      open = false;
    } finally {
      calling.unlock();
    }
    onClose.accept(this);
  }
}
