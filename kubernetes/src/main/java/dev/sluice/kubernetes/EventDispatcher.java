package dev.sluice.kubernetes;

import dev.sluice.model.ApiObject;
import dev.sluice.model.GoDuration;
import dev.sluice.runtime.ObjectEvent;
import dev.sluice.runtime.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that delivers the events of one kind to its listeners, so that neither a write nor the
 * watch ever runs a listener's code.
 *
 * <p>The queue is not bounded by itself: its writers are few and wait for their answers, and the
 * watch calls {@link #awaitRoom}, which holds it back while listeners are slow.
 *
 * <p>Threads: safe.
 */
final class EventDispatcher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventDispatcher.class);
  private static final int ROOM = 10_000;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private sealed interface Message {}

  private record Change(ObjectEvent event) implements Message {}

  private record Join(Listener listener, List<ApiObject> existing) implements Message {}

  /**
   * Completes with whether all events before it were delivered: false once the dispatcher stopped.
   */
  private record Mark(CompletableFuture<Boolean> reached) implements Message {}

  private final BlockingQueue<Message> queue = new LinkedBlockingQueue<>();
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private final Thread owner;
  private volatile boolean stopped;

  EventDispatcher(String name) {
    this.owner = Thread.ofVirtual().name("tell-" + name).start(this::run);
  }

  /** Notifies the listeners of a change, after everything handed over before it. */
  void tell(ObjectEvent event) {
    queue.add(new Change(event));
  }

  /**
   * Notifies a listener of what exists, and from then on of every change.
   *
   * @param existing what there is after everything handed over before
   */
  Subscription join(Consumer<ObjectEvent> listener, List<ApiObject> existing) {
    var joining = new Listener(listener);
    queue.add(new Join(joining, existing));
    return joining;
  }

  /** Waits until everything handed over before is delivered; false if it never will be. */
  boolean awaitTold() {
    if (Thread.currentThread().equals(owner)) {
      throw new IllegalStateException(
          "a listener must not watch the kind that it is being told of: watch it beforehand");
    }
    var reached = new CompletableFuture<Boolean>();
    queue.add(new Mark(reached));
    if (stopped) {
      releaseQueued();
    }
    return reached.join();
  }

  /** Returns once the listeners are not too far behind. */
  void awaitRoom() {
    if (queue.size() > ROOM) {
      var _ = awaitTold(); // a stopped teller has all the room there is
    }
  }

  @Override
  public void close() {
    owner.interrupt();
    if (Thread.currentThread().equals(owner)) {
      return;
    }
    try {
      if (!owner.join(PATIENCE)) {
        LOG.warn(
            "{}: a listener has not returned for {}", owner.getName(), GoDuration.format(PATIENCE));
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      while (true) {
        switch (queue.take()) {
          case Change(ObjectEvent event) -> listeners.forEach(listener -> listener.tell(event));
          case Join(Listener listener, List<ApiObject> existing) -> {
            listeners.add(listener);
            existing.forEach(object -> listener.tell(ObjectEvent.added(object)));
          }
          case Mark(CompletableFuture<Boolean> reached) -> reached.complete(true);
        }
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    } finally {
      stopped = true;
      releaseQueued();
    }
  }

  /** No caller may wait for a thread that has ended. */
  private void releaseQueued() {
    for (Message message = queue.poll(); message != null; message = queue.poll()) {
      if (message instanceof Mark(CompletableFuture<Boolean> reached)) {
        reached.complete(false);
      }
    }
  }

  private final class Listener implements Subscription {
    private final Consumer<ObjectEvent> listener;
    private volatile boolean closed;

    Listener(Consumer<ObjectEvent> listener) {
      this.listener = listener;
    }

    void tell(ObjectEvent event) {
      if (closed) {
        return;
      }
      try {
        listener.accept(event);
      } catch (RuntimeException broken) {
        // The other listeners must hear of it all the same.
        LOG.error(
            "a listener failed on {} {} {}: a defect, please report it",
            event.type(),
            event.object().kind(),
            event.object().path(),
            broken);
      }
    }

    @Override
    public void close() {
      closed = true;
      listeners.remove(this);
    }
  }
}
