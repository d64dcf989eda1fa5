package dev.sluice.apiserver.http.watch;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Cause;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.runtime.TimeSource;
import dev.sluice.store.Snapshot;
import dev.sluice.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * The wait for a revision that a client knows and the store does not have yet. That happens when a
 * client uses two servers, or when a server lost data; so the wait is short, and rare enough to
 * poll instead of subscribing to every write.
 */
public record Freshness(Store store, TimeSource time) {
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final Duration PAUSE = Duration.ofMillis(50);

  /** A snapshot at a revision or later. */
  public Snapshot notOlderThan(long revision) {
    Instant deadline = time.now().plus(PATIENCE);
    Snapshot snapshot = store.snapshot();
    while (snapshot.revision() < revision) {
      if (!time.now().isBefore(deadline)) {
        throw tooLarge(revision, snapshot.revision());
      }
      pause();
      snapshot = store.snapshot();
    }
    return snapshot;
  }

  private void pause() {
    var over = new CountDownLatch(1);
    try (var _ = time.after(PAUSE, over::countDown)) {
      over.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw ApiFailure.because(Reason.SERVICE_UNAVAILABLE, "the server is stopping");
    }
  }

  private static RuntimeException tooLarge(long wanted, long current) {
    String message = "Too large resource version: %d, current: %d".formatted(wanted, current);
    return new ApiFailure(
            Reason.TIMEOUT,
            "Timeout: " + message,
            "",
            "",
            "",
            List.of(new Cause("ResourceVersionTooLarge", "", "Too large resource version")),
            1)
        .exception();
  }
}
