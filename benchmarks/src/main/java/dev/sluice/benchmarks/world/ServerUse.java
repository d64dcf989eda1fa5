package dev.sluice.benchmarks.world;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The resources that a server process has used so far.
 *
 * @param peakKibibytes its peak resident memory; empty where the system does not report it
 */
public record ServerUse(String name, long pid, Duration cpu, OptionalLong peakKibibytes) {

  public static ServerUse of(String name, ProcessHandle process) {
    return new ServerUse(
        name,
        process.pid(),
        process.info().totalCpuDuration().orElse(Duration.ZERO),
        peak(process.pid()));
  }

  /** The same process, without the processor time of what came before. */
  public ServerUse since(ServerUse before) {
    return new ServerUse(name, pid, cpu.minus(before.cpu), peakKibibytes);
  }

  /** For people. */
  public String text() {
    return "%-15s  %8.1f s of cpu, peak memory %,d MiB"
        .formatted(name, cpu.toNanos() / 1e9, peakKibibytes.orElse(0) / 1024);
  }

  private static OptionalLong peak(long pid) {
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
      return lines
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst();
    } catch (IOException notLinux) {
      return OptionalLong.empty();
    }
  }
}
