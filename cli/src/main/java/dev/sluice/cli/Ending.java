package dev.sluice.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits until the process is asked to end, and then ends it in order. */
final class Ending {
  private static final Logger LOG = LoggerFactory.getLogger(Ending.class);

  private Ending() {}

  /**
   * Never returns: once asked to end, it closes and leaves with success, which a signal denies.
   *
   * @param ready run once that is arranged, so that whoever hears of it may end the process; if it
   *     fails, so does the process, after it has closed
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
