package dev.sluice.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns controllers in real time: one virtual thread each, all at once.
 *
 * <p>Threads: start and close it from one thread.
 */
public final class LiveDriver implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LiveDriver.class);

  /** Shorter than the grace period of a pod, in which a whole server has to stop. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final TimeSource time;
  private final List<ControllerLoop> loops;
  private final List<Thread> workers = new ArrayList<>();

  public LiveDriver(Cluster cluster, List<? extends Controller> controllers) {
    this.time = cluster.time();
    this.loops =
        controllers.stream().map(controller -> new ControllerLoop(controller, cluster)).toList();
  }

  /** Starts every controller; returns once each has been notified of what exists. */
  public void start() {
    loops.forEach(ControllerLoop::listen);
    for (ControllerLoop loop : loops) {
      workers.add(
          Thread.ofVirtual().name("controller-" + loop.name()).start(() -> workUntilStopped(loop)));
    }
  }

  private static void workUntilStopped(ControllerLoop loop) {
    while (true) {
      try {
        loop.work(loop.take());
      } catch (InterruptedException stop) {
        return;
      } catch (RuntimeException | Error broken) {
        // One broken object, such as one too deep for the stack, must not stop the others; the loop
        // already arranged the next try.
        LOG.error("{}: a defect, please report it", loop.name(), broken);
      }
    }
  }

  /**
   * Stops every controller; returns once none is working, or after ten seconds: its threads do not
   * keep a process alive.
   */
  @Override
  public void close() {
    close(PATIENCE);
  }

  void close(Duration patience) {
    loops.forEach(ControllerLoop::close);
    workers.forEach(Thread::interrupt);
    Instant end = time.now().plus(patience);
    for (Thread worker : workers) {
      try {
        Duration left = Duration.between(time.now(), end);
        if (!worker.join(left.isPositive() ? left : Duration.ofNanos(1))) {
          LOG.warn("{} is still busy and is left behind", worker.getName());
        }
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
