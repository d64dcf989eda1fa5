package dev.sluice.machine;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * How many processes pods may have, so that one that starts more and more of them takes nothing
 * from the others, nor all of them together from the machine. Threads count as processes.
 *
 * @param all how many there can be
 */
record ProcessLimit(long all) {
  /** Where a group has its limit. */
  static final String FILE = "pids.max";

  private static final List<Path> OF_MACHINE =
      List.of(Path.of("/proc/sys/kernel/pid_max"), Path.of("/proc/sys/kernel/threads-max"));

  /** The default of Linux. */
  private static final long USUAL = 32_768;

  /** The limit of the machine, or of a group whose parts ours are, if that is less. */
  static ProcessLimit in(Path parent) {
    long least = limit(parent.resolve(FILE));
    for (Path file : OF_MACHINE) {
      least = Math.min(least, limit(file));
    }
    return new ProcessLimit(least == Long.MAX_VALUE ? USUAL : least);
  }

  private static long limit(Path file) {
    // Settings of the kernel must be read at once: a second look at such a file finds nothing more.
    try (BufferedReader reader = Files.newBufferedReader(file)) {
      return Long.parseLong(String.valueOf(reader.readLine()));
    } catch (IOException | NumberFormatException none) {
      return Long.MAX_VALUE;
    }
  }

  long ofOnePod() {
    return Math.max(1, all / 8);
  }

  long ofAllPods() {
    return Math.max(1, all / 4 * 3);
  }
}
