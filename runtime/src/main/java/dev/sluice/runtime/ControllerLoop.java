package dev.sluice.runtime;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiFailure;
import dev.sluice.model.GoDuration;
import dev.sluice.model.ObjectKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * One controller with its work queue, its watches and its timers. A driver decides when it works.
 *
 * <p>Threads: safe. The queue and the timers are guarded by one lock, which is never held while the
 * controller works.
 */
final class ControllerLoop implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ControllerLoop.class);

  private final Controller controller;
  private final Cluster cluster;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition added = lock.newCondition();
  private final WorkQueue queue = new WorkQueue();
  private final Map<ObjectKey, Subscription> timers = new HashMap<>();
  private final List<Subscription> watches = new ArrayList<>();

  ControllerLoop(Controller controller, Cluster cluster) {
    this.controller = controller;
    this.cluster = cluster;
  }

  String name() {
    return controller.name();
  }

  /** Starts to listen; returns once everything that exists has been queued. */
  void listen() {
    watches.add(controller.listen(this::add));
    for (Controller.Trigger trigger : controller.triggers()) {
      watches.add(
          cluster.watch(trigger.kind(), event -> trigger.keys().apply(event).forEach(this::add)));
    }
  }

  void add(ObjectKey key) {
    lock.lock();
    try {
      queue.add(key);
      added.signal();
    } finally {
      lock.unlock();
    }
  }

  boolean hasWork() {
    lock.lock();
    try {
      return !queue.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a key. */
  ObjectKey take() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      Optional<ObjectKey> key = queue.take();
      while (key.isEmpty()) {
        added.await();
        key = queue.take();
      }
      return key.get();
    } finally {
      lock.unlock();
    }
  }

  /** The next key, if one waits. */
  Optional<ObjectKey> poll() {
    lock.lock();
    try {
      return queue.take();
    } finally {
      lock.unlock();
    }
  }

  /** Reconciles a key that was taken and sees to what follows from it. */
  void work(ObjectKey key) {
    Controller.Outcome outcome;
    try {
      outcome = controller.reconcile(key);
    } catch (ApiException refused) {
      Duration delay = retry(key);
      LOG.atLevel(level(refused))
          .log(
              "{}: {} is tried again in {}: {}",
              name(),
              key,
              GoDuration.format(delay),
              refused.getMessage());
      return;
    } catch (RuntimeException | Error broken) {
      retry(key);
      throw broken;
    }
    finish(key, outcome);
  }

  /**
   * The log level of a rejected write. A conflict only says that the cache was behind, and the next
   * pass settles it. A controller that is stopped in the middle of a write has not failed: the next
   * one finds what is left to do.
   */
  static Level level(ApiException refused) {
    boolean stopping = Thread.currentThread().isInterrupted();
    return stopping || refused.is(ApiFailure.Reason.CONFLICT) ? Level.DEBUG : Level.WARN;
  }

  private void finish(ObjectKey key, Controller.Outcome outcome) {
    lock.lock();
    try {
      queue.succeeded(key);
      switch (outcome) {
        case Controller.Outcome.Done() -> cancelTimer(key);
        case Controller.Outcome.Again(Duration after) -> addLater(key, after);
      }
      finished(key);
    } finally {
      lock.unlock();
    }
  }

  private Duration retry(ObjectKey key) {
    lock.lock();
    try {
      Duration delay = queue.failed(key);
      addLater(key, delay);
      finished(key);
      return delay;
    } finally {
      lock.unlock();
    }
  }

  private void finished(ObjectKey key) {
    queue.done(key);
    if (!queue.isEmpty()) {
      added.signal();
    }
  }

  /** The newest outcome knows best, so it replaces the timer an earlier one left. */
  private void addLater(ObjectKey key, Duration delay) {
    cancelTimer(key);
    timers.put(key, cluster.time().after(delay, () -> add(key)));
  }

  private void cancelTimer(ObjectKey key) {
    Subscription timer = timers.remove(key);
    if (timer != null) {
      timer.close();
    }
  }

  @Override
  public void close() {
    watches.forEach(Subscription::close);
    lock.lock();
    try {
      timers.values().forEach(Subscription::close);
      timers.clear();
    } finally {
      lock.unlock();
    }
  }
}
