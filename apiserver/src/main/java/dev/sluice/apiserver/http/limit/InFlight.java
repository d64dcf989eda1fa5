package dev.sluice.apiserver.http.limit;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * A limit on requests in flight: requests above it are rejected, so that a burst of clients has to
 * wait and the server does not run out of memory. Threads: safe.
 */
public final class InFlight {
  private static final int RETRY_AFTER_SECONDS = 1;

  private final int limit;
  private final String what;
  private final Semaphore free;

  /** A place below the limit, which is released once. */
  public interface Place extends AutoCloseable {
    @Override
    void close();
  }

  public InFlight(int limit, String what) {
    this.limit = limit;
    this.what = what;
    this.free = new Semaphore(limit);
  }

  public Place enter() {
    if (!free.tryAcquire()) {
      throw new ApiFailure(
              Reason.TOO_MANY_REQUESTS,
              "the server is at its limit of %d %s; try again later".formatted(limit, what),
              "",
              "",
              "",
              List.of(),
              RETRY_AFTER_SECONDS)
          .exception();
    }
    return free::release;
  }
}
