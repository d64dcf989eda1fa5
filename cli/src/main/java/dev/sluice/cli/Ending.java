package dev.sluice.cli;

import java.util.concurrent.CountDownLatch;

/** Waits until the process is asked to end, and then ends it in order. */
final class Ending {
  private Ending() {}

  /**
   * Never returns: once asked to end, it closes and leaves with success, which a signal denies.
   *
   * @param ready run once that is arranged, so that whoever hears of it may end the process
   */
  static void await(Runnable close, Runnable ready) throws InterruptedException {
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .name("shutdown")
                .unstarted(() -> {
                  close.run();
                  Runtime.getRuntime().halt(0);
                }));
    ready.run();
    new CountDownLatch(1).await();
  }
}
