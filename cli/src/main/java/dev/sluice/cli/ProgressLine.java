package dev.sluice.cli;

import dev.sluice.simulator.VirtualWorld;
import dev.sluice.simulator.run.RunOptions;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * One line on a terminal that shows how far a simulation is: the virtual date, the jobs that ended,
 * and how much faster than real time it is. Elsewhere nothing is shown.
 */
final class ProgressLine implements RunOptions.Progress, AutoCloseable {
  private static final Duration BETWEEN = Duration.ofMillis(200);
  private static final String CLEAR = "\r\u001b[K";

  private final PrintWriter terminal;
  private final boolean shown;
  private long began = System.nanoTime();
  private long last = began;
  private Duration before = Duration.ZERO;

  /**
   * @param shown whether this is a terminal
   */
  ProgressLine(PrintWriter terminal, boolean shown) {
    this.terminal = terminal;
    this.shown = shown;
  }

  @Override
  public void reached(Duration elapsed, int submitted, int ended) {
    long now = System.nanoTime();
    if (elapsed.compareTo(before) < 0) {
      began = now; // another run
    }
    before = elapsed;
    if (!shown || now - last < BETWEEN.toNanos()) {
      return;
    }
    last = now;
    double speed = elapsed.toNanos() / (double) Math.max(1, now - began);
    terminal.print(
        String.format(
            Locale.ROOT,
            "%s%s  %d of %d jobs ended  %.0f times real time",
            CLEAR,
            VirtualWorld.START.plus(elapsed).truncatedTo(ChronoUnit.SECONDS),
            ended,
            submitted,
            speed));
    terminal.flush();
  }

  @Override
  public void close() {
    if (shown) {
      terminal.print(CLEAR);
      terminal.flush();
    }
  }
}
