package dev.sluice.benchmarks.queue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * What a server process has used so far.
 *
 * @param peakKibibytes the most memory it had in RAM; empty where the system does not tell
 */
record ServerUse(String name, Duration cpu, OptionalLong peakKibibytes) {

  static ServerUse of(String name, ProcessHandle process) {
    return new ServerUse(
        name, process.info().totalCpuDuration().orElse(Duration.ZERO), peak(process.pid()));
  }

  /** The same process, without the processor time of what came before. */
  ServerUse since(ServerUse before) {
    return new ServerUse(name, cpu.minus(before.cpu), peakKibibytes);
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
