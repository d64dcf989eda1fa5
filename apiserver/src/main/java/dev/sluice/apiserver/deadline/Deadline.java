package dev.sluice.apiserver.deadline;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.runtime.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * The time at which the request of this thread must have its answer. Code that may work for long
 * calls {@link #check} now and then. Outside a request, as in a simulation, there is no deadline.
 */
public final class Deadline {
  private static final ScopedValue<Deadline> CURRENT = ScopedValue.newInstance();

  private final TimeSource time;
  private final Duration allowed;
  private final Instant end;

  private Deadline(TimeSource time, Duration allowed) {
    this.time = time;
    this.allowed = allowed;
    this.end = time.now().plus(allowed);
  }

  /** Does the work of a request, which may take some time. */
  public static <T> T within(TimeSource time, Duration allowed, Supplier<T> work) {
    return ScopedValue.where(CURRENT, new Deadline(time, allowed)).call(work::get);
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
    if (time.now().isAfter(end)) {
      throw ApiFailure.because(
          Reason.TIMEOUT,
          "the request took longer than %d seconds and was stopped".formatted(allowed.toSeconds()));
    }
  }
}
