package dev.sluice.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The wait for the signal that ends the process, and the orderly shutdown after it. */
final class ShutdownSignal {
  private static final Logger LOG = LoggerFactory.getLogger(ShutdownSignal.class);

  private ShutdownSignal() {}

  /**
   * Never returns: after a signal to end, it closes and exits with status 0, which a signal alone
   * would not give.
   *
   * @param ready run once the shutdown is arranged, so that a caller that hears of it may end the
   *     process; if it fails, the process closes and exits with an error
   */
  static void await(Runnable close, Runnable ready) throws InterruptedException {
    var exitCode = new AtomicInteger();
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .name("shutdown")
                .unstarted(() -> {
                  try {
                    close.run();
                  } catch (RuntimeException unclean) {
                    LOG.error("the shutdown was not clean: {}", unclean.getMessage());
                    exitCode.set(1);
                  }
                  Runtime.getRuntime().halt(exitCode.get());
                }));
    try {
      ready.run();
    } catch (RuntimeException failed) {
      exitCode.set(failed instanceof UserError error ? error.exitCode() : 1);
      throw failed;
    }
    new CountDownLatch(1).await();
  }
}
