package dev.sluice.cli;

import dev.sluice.runtime.TimeSource;
import dev.sluice.simulator.VirtualWorld;
import dev.sluice.simulator.run.RunOptions;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
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
  private final TimeSource clock;
  private Instant began;
  private Instant last;
  private Duration before = Duration.ZERO;

  /**
   * @param shown whether this is a terminal
   */
  ProgressLine(PrintWriter terminal, boolean shown, TimeSource clock) {
    this.terminal = terminal;
    this.shown = shown;
    this.clock = clock;
    this.began = clock.now();
    this.last = began;
  }

  @Override
  public void reached(Duration elapsed, int submitted, int ended) {
    Instant now = clock.now();
    if (elapsed.compareTo(before) < 0) {
      began = now; // another run
    }
    before = elapsed;
    if (!shown || Duration.between(last, now).compareTo(BETWEEN) < 0) {
      return;
    }
    last = now;
    double speed = elapsed.toNanos() / (double) Math.max(1, Duration.between(began, now).toNanos());
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
