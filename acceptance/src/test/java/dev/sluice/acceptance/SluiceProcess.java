package dev.sluice.acceptance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The real sluice command, as a process of its own. */
final class SluiceProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration FAREWELL = Duration.ofSeconds(20);
  private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

  private final Process process;
  private final Path errors;

  private SluiceProcess(Process process, Path errors) {
    this.process = process;
    this.errors = errors;
  }

  /** What a command that ended left behind. */
  record Ended(int exitCode, String out, String errors) {}

  static Path repository() {
    return REPOSITORY;
  }

  /** Runs a command to its end. */
  static Ended run(String... arguments) {
    try (SluiceProcess process = start(arguments)) {
      return process.end();
    }
  }

  static SluiceProcess start(String... arguments) {
    return start(Map.of(), List.of(), arguments);
  }

  /** Starts a control plane that keeps everything in a directory, at any free port. */
  static SluiceProcess up(Path directory, String... more) {
    var arguments = new ArrayList<>(List.of("up", "--data-dir", directory.toString()));
    arguments.addAll(List.of("--port", "0"));
    arguments.addAll(List.of(more));
    return start(arguments.toArray(String[]::new));
  }

  /**
   * Starts it with more in its environment.
   *
   * @param properties of Java, as {@code -Dname=value}
   */
  static SluiceProcess start(
      Map<String, String> environment, List<String> properties, String... arguments) {
    Path jar = REPOSITORY.resolve("cli/target/dist/sluice.jar");
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    var command =
        new ArrayList<>(
            List.of(
                java.toString(),
                "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1"));
    command.addAll(properties);
    command.addAll(List.of("-jar", jar.toString()));
    command.addAll(List.of(arguments));
    try {
      Path errors = Files.createTempFile("sluice", ".err");
      ProcessBuilder builder =
          new ProcessBuilder(command).directory(REPOSITORY.toFile()).redirectError(errors.toFile());
      builder.environment().putAll(environment);
      return new SluiceProcess(builder.start(), errors);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** Waits for the next line, such as the first, of a command that goes on. */
  String readyLine() {
    try {
      BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
      String line = out.readLine();
      if (line == null) {
        throw new AssertionError(
            "sluice ended instead of getting ready: " + Files.readString(errors));
      }
      return line;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** Waits for a line that has some words in it. */
  void awaitLine(String words) {
    while (!readyLine().contains(words)) {
      // It said something else before.
    }
  }

  /** Asks the process to end, as a service manager does, and waits for it. */
  Ended terminate() {
    process.toHandle().destroy(); // unlike the process's own method, it leaves the output readable
    return end();
  }

  /** Ends the process at once, as a power cut does. */
  void kill() {
    process.destroyForcibly();
    await();
  }

  /** The processes that it has started, and those that these have. */
  List<ProcessHandle> started() {
    return process.descendants().toList();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  private Ended end() {
    try (Stream<String> lines = process.inputReader(StandardCharsets.UTF_8).lines()) {
      String out = String.join("\n", lines.toList());
      await();
      return new Ended(process.exitValue(), out, Files.readString(errors));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private void await() {
    try {
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("sluice did not end within " + PATIENCE);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for sluice", interrupted);
    }
  }

  /**
   * Asks it to end, and ends it where it does not: with everything that it started, which a server
   * that is killed leaves behind.
   */
  @Override
  public void close() {
    process.toHandle().destroy();
    try {
      if (!process.waitFor(FAREWELL.toSeconds(), TimeUnit.SECONDS)) {
        List<ProcessHandle> started = started();
        process.destroyForcibly();
        started.forEach(ProcessHandle::destroyForcibly);
      }
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
