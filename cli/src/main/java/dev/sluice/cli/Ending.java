package dev.sluice.cli;

import java.util.concurrent.CountDownLatch;

/** Waits until the process is asked to end, and then ends it in order. */
final class Ending {
  private Ending() {}

  /** Never returns: once asked to end, it closes and leaves with success, which a signal denies. */
  static void await(Runnable close) throws InterruptedException {
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .name("shutdown")
                .unstarted(() -> {
                  close.run();
                  Runtime.getRuntime().halt(0);
                }));
    new CountDownLatch(1).await();
  }
}
