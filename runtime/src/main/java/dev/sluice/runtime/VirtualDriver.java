package dev.sluice.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Turns controllers in virtual time: on one thread, one key at a time. Which of the controllers
 * with work goes next is drawn from the seed, so different seeds explore different orders and the
 * same seed repeats its own. Time moves to the next timer only when nothing is left to do.
 *
 * <p>A defect in a controller is thrown, not retried: a simulation that hides one is worthless.
 *
 * <p>Threads: none; it belongs to the thread that drives the simulation.
 */
public final class VirtualDriver implements AutoCloseable {
  private final VirtualTime time;
  private final RandomGenerator random;
  private final List<ControllerLoop> loops;

  /** The loops in the middle of their work, of which all but the last wait. */
  private final List<ControllerLoop> working = new ArrayList<>();

  public VirtualDriver(
      Cluster cluster,
      VirtualTime time,
      RandomGenerator random,
      List<? extends Controller> controllers) {
    this.time = time;
    this.random = random;
    this.loops =
        controllers.stream().map(controller -> new ControllerLoop(controller, cluster)).toList();
  }

  public void start() {
    loops.forEach(ControllerLoop::listen);
  }

  /** Works until nothing is left to do, and no timer is due until {@code end}. */
  public void runUntil(Instant end) {
    while (step(end)) {
      // one thing after the other
    }
  }

  /** Works until nothing is left to do at the present time. */
  public void settle() {
    runUntil(time.now());
  }

  /**
   * Does one thing: works on one key, or moves the time to the next timer.
   *
   * @return false if there was nothing to do, and no timer is due until {@code end}
   */
  public boolean step(Instant end) {
    List<ControllerLoop> ready = ready();
    if (!ready.isEmpty()) {
      ControllerLoop loop = ready.get(random.nextInt(ready.size()));
      work(loop);
      return true;
    }
    boolean due = time.next().filter(next -> !next.isAfter(end)).isPresent();
    if (due) {
      time.step();
    }
    return due;
  }

  private void work(ControllerLoop loop) {
    working.add(loop);
    try {
      loop.poll().ifPresent(loop::work);
    } finally {
      working.removeLast();
    }
  }

  /**
   * Lets a controller wait in the middle of its work, as one whose client limits its own writes:
   * until then all others go on. They may wait too, and then this one waits until they are done.
   */
  public void waitUntil(Instant time) {
    this.time.after(Duration.between(this.time.now(), time), () -> {});
    while (this.time.now().isBefore(time)) {
      step(time);
    }
  }

  private List<ControllerLoop> ready() {
    var ready = new ArrayList<ControllerLoop>(loops.size());
    for (ControllerLoop loop : loops) {
      if (loop.hasWork() && !working.contains(loop)) {
        ready.add(loop);
      }
    }
    return ready;
  }

  @Override
  public void close() {
    loops.forEach(ControllerLoop::close);
  }
}
