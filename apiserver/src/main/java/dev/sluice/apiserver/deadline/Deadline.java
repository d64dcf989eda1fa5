package dev.sluice.apiserver.deadline;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * The time at which the request of this thread must have its answer. Code that may work for long
 * calls {@link #check} now and then. Outside a request, as in a simulation, there is no deadline.
 */
public final class Deadline {
  private static final ScopedValue<Deadline> CURRENT = ScopedValue.newInstance();

  private final Duration allowed;
  private final long end;

  private Deadline(Duration allowed) {
    this.allowed = allowed;
    this.end = System.nanoTime() + allowed.toNanos();
  }

  /** Does the work of a request, which may take some time. */
  public static <T> T within(Duration allowed, Supplier<T> work) {
    return ScopedValue.where(CURRENT, new Deadline(allowed)).call(work::get);
  }

  /**
   * @throws dev.sluice.model.ApiException if the time of the request is over
   */
  public static void check() {
    if (CURRENT.isBound()) {
      CURRENT.get().checkNow();
    }
  }

  private void checkNow() {
    if (System.nanoTime() - end > 0) {
      throw ApiFailure.because(
          Reason.TIMEOUT,
          "the request took longer than %d seconds and was stopped".formatted(allowed.toSeconds()));
    }
  }
}
