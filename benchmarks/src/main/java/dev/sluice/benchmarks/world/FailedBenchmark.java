package dev.sluice.benchmarks.world;

import dev.sluice.cli.UserError;

/** A benchmark without a result. The message says why, and what the user can do about it. */
public final class FailedBenchmark extends UserError {
  private static final long serialVersionUID = 1L;

  public FailedBenchmark(String message) {
    super(message, 1);
  }
}
