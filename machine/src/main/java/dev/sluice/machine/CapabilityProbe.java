package dev.sluice.machine;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Finds out what this machine lets us do by doing it: that depends on more than one can ask for.
 */
final class CapabilityProbe {
  private static final int PATIENCE_SECONDS = 5;

  private CapabilityProbe() {}

  /** Whether a command is there, ends soon, and ends well. */
  static boolean succeeds(List<String> command) {
    try {
      Process trial =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return trial.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && trial.exitValue() == 0;
    } catch (IOException notInstalled) {
      return false;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
