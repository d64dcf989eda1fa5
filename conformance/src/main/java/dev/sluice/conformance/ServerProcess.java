package dev.sluice.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server process beside the tests, which writes its log to a file. */
final class ServerProcess implements AutoCloseable {
  private static final int TAIL = 25;

  private final String name;
  private final Path log;
  private final Process process;

  private ServerProcess(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
  }

  /** Starts {@code program} from a directory; its log is appended to {@code folder/program.log}. */
  static ServerProcess start(Path binaries, String program, List<String> arguments, Path folder) {
    Path log = folder.resolve(program + ".log");
    var command = new ArrayList<String>();
    command.add(binaries.resolve(program).toString());
    command.addAll(arguments);
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      return new ServerProcess(program, log, process);
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot start " + command.getFirst(), failed);
    }
  }

  /**
   * Waits for a short time between two checks of a server that is starting.
   *
   * @throws IllegalStateException if the server ends in the meantime; the message has its last
   *     lines
   */
  void pause(Duration moment) {
    try {
      if (process.waitFor(moment.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new IllegalStateException(
            "%s ended with exit code %d. The end of %s:%n%s"
                .formatted(name, process.exitValue(), log, tail()));
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for " + name, interrupted);
    }
  }

  /** Sends it a signal, such as STOP. */
  void signal(String name) {
    try {
      String pid = Long.toString(process.pid());
      int answer = new ProcessBuilder("kill", "-" + name, pid).start().waitFor();
      if (answer != 0) {
        throw new IllegalStateException("kill -%s %s ended with %d".formatted(name, pid, answer));
      }
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot send a signal to " + this.name, failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while signalling " + this.name, interrupted);
    }
  }

  /** The last lines of the log. */
  String tail() {
    try {
      List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL), lines.size()));
    } catch (IOException unreadable) {
      return "(unreadable: " + unreadable.getMessage() + ")";
    }
  }

  /**
   * Kills it at once; what it would still have written to its temporary directory does not matter.
   */
  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
