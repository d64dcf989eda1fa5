package dev.sluice.benchmarks.queue;

import dev.sluice.benchmarks.FailedBenchmark;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The real sluice command in a JVM of its own, with this program's libraries. */
final class SluiceServer implements AutoCloseable {
  private final Process process;

  /** What the user adds to how it is started: options of the JVM, and of the command. */
  record Options(List<String> java, List<String> command) {
    Options {
      java = List.copyOf(java);
      command = List.copyOf(command);
    }
  }

  /** Starts it and returns when it says that it is ready. */
  SluiceServer(Options options, String... arguments) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(options.java());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.sluice.cli.Main"));
    command.addAll(List.of(arguments));
    command.addAll(options.command());
    try {
      this.process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
      awaitReady(out, arguments[0]);
      Thread.ofVirtual().start(() -> out.lines().forEach(line -> {}));
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot start " + command.getFirst(), failed);
    }
  }

  /** The JVM itself may say something first, for example about a recording. */
  private static void awaitReady(BufferedReader out, String command) throws IOException {
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith("Sluice ")) {
        return;
      }
    }
    throw new FailedBenchmark("sluice %s did not start".formatted(command));
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  /** Ends it in good order, so that a recording of it is written. */
  @Override
  public void close() {
    process.toHandle().destroy(); // unlike the process's own method, it leaves the output readable
    try {
      process.waitFor();
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
