package dev.sluice.conformance;

import static dev.sluice.conformance.KubernetesBinaries.ADVICE;

import dev.sluice.model.GoDuration;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * The real kubectl, as a person would use it.
 *
 * <pre>{@code
 * String pods = kubectl.run("get", "pods", "-o", "name").orFail();
 * }</pre>
 */
public final class Kubectl {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Not the common pool: what kubectl waits for may need it, in a server of the same process. */
  private static final Executor READERS = task -> Thread.ofVirtual().start(task);

  private final String program;
  private final Path kubeconfig;

  Kubectl(Path program, Path kubeconfig) {
    this.program = program.toString();
    this.kubeconfig = kubeconfig;
  }

  /** Whether this machine has a kubectl. */
  public static boolean isHere() {
    return program().isPresent();
  }

  /** The kubectl among the Kubernetes binaries of this machine, else the one on the PATH. */
  public static Kubectl with(Path kubeconfig) {
    Path program =
        program()
            .orElseThrow(() -> new IllegalStateException("no kubectl on the PATH, and " + ADVICE));
    return new Kubectl(program, kubeconfig);
  }

  private static Optional<Path> program() {
    return KubernetesBinaries.find()
        .map(folder -> folder.resolve("kubectl"))
        .or(() ->
            Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(System.getenv().getOrDefault("PATH", ""))
                .map(folder -> Path.of(folder, "kubectl"))
                .filter(Files::isExecutable)
                .findFirst());
  }

  /** The output of a command, and its exit code. */
  public record Result(List<String> command, int exitCode, String output, String error) {

    /** The output of a command that must succeed. */
    public String orFail() {
      if (exitCode != 0) {
        throw new AssertionError(
            "%s ended with exit code %d: %s%s"
                .formatted(String.join(" ", command), exitCode, error, output));
      }
      return output;
    }
  }

  /** A command that runs until it is closed, such as {@code port-forward}. */
  public static final class Running implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;

    private Running(Process process) {
      this.process = process;
      this.output = process.inputReader(StandardCharsets.UTF_8);
    }

    /** The next line that it writes, empty if it ends without one. */
    public String line() throws IOException {
      String line = output.readLine();
      return line == null ? "" : line;
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  /** Starts a command; its standard error is that of the test. */
  public Running start(String... arguments) {
    try {
      return new Running(
          new ProcessBuilder(command(arguments))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start());
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot run " + program, failed);
    }
  }

  private List<String> command(String... arguments) {
    var command = new ArrayList<String>(List.of(program, "--kubeconfig=" + kubeconfig));
    command.addAll(List.of(arguments));
    return command;
  }

  public Result run(String... arguments) {
    return runWithInput("", arguments);
  }

  /**
   * The result of a JSONPath template such as {@code {.status.phase}} for an object, or for a list.
   */
  public String read(String object, String template) {
    return run("get", object, "-o", "jsonpath=" + template).orFail();
  }

  /** The result of a JSONPath template for each object of a kind. */
  public List<String> readEach(String kind, String template) {
    return read(kind, "{range .items[*]}" + template + "{\"\\n\"}{end}").lines().toList();
  }

  /** Applies objects that must be accepted. */
  public void apply(String yaml) {
    // kubectl 1.32 treats input that begins with a brace as JSON unless a mark says that it is
    // YAML.
    runWithInput("---\n" + yaml, "apply", "-f", "-").orFail();
  }

  /** Runs a command that reads its standard input, such as {@code create -f -}. */
  public Result runWithInput(String input, String... arguments) {
    List<String> command = command(arguments);
    try {
      Process process = new ProcessBuilder(command).start();
      var output = CompletableFuture.supplyAsync(() -> read(process.getInputStream()), READERS);
      var error = CompletableFuture.supplyAsync(() -> read(process.getErrorStream()), READERS);
      write(process, input);
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException(
            "%s did not end within %s"
                .formatted(String.join(" ", command), GoDuration.format(PATIENCE)));
      }
      return new Result(command, process.exitValue(), output.join(), error.join());
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot run " + program, failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for kubectl", interrupted);
    }
  }

  private static void write(Process process, String input) {
    try (OutputStream stdin = process.getOutputStream()) {
      stdin.write(input.getBytes(StandardCharsets.UTF_8));
    } catch (IOException endedEarly) {
      // a command that does not read its input says so in its own words
    }
  }

  private static String read(InputStream stream) {
    try {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
