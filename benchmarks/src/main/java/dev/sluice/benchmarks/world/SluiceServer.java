package dev.sluice.benchmarks.world;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The real sluice command in a process of its own: as users start it where this program was started
 * that way, or with this program's libraries.
 */
public final class SluiceServer implements AutoCloseable {

  /** The path of the command that users start; its script sets this property. */
  private static final String LAUNCHER = System.getProperty("sluice.launcher", "");

  private final Process process;

  /** The options that the user adds: of the JVM, and of the command. */
  public record Options(List<String> java, List<String> command) {
    public Options {
      java = List.copyOf(java);
      command = List.copyOf(command);
    }
  }

  /** Starts it and returns when it says that it is ready. */
  public SluiceServer(Options options, String... arguments) {
    var builder = new ProcessBuilder(command(options, arguments));
    if (!options.java().isEmpty()) {
      builder.environment().put("JDK_JAVA_OPTIONS", String.join(" ", options.java()));
    }
    try {
      this.process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
      BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
      awaitReady(out, arguments[0]);
      Thread.ofVirtual().start(() -> out.lines().forEach(line -> {}));
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot start " + builder.command().getFirst(), failed);
    }
  }

  private static List<String> command(Options options, String... arguments) {
    var command = new ArrayList<String>();
    if (LAUNCHER.isEmpty()) {
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.add("--sun-misc-unsafe-memory-access=allow");
      command.add("--enable-native-access=ALL-UNNAMED");
      command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.sluice.cli.Main"));
    } else {
      command.add(LAUNCHER);
    }
    command.addAll(List.of(arguments));
    command.addAll(options.command());
    return command;
  }

  /** The JVM itself may print something first, for example about a recording. */
  private static void awaitReady(BufferedReader out, String command) throws IOException {
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith("Sluice ")) {
        return;
      }
    }
    throw new FailedBenchmark("sluice %s did not start".formatted(command));
  }

  public ProcessHandle handle() {
    return process.toHandle();
  }

  /** Stops it in an orderly way, so that a recording of it is written. */
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
