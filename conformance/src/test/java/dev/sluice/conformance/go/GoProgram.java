package dev.sluice.conformance.go;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conformance.Skips;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * A program in Go of ours, compiled from the resources of the tests, that answers one JSON document
 * a line.
 */
final class GoProgram {
  private static final long MINUTES = 5;
  private static final String ADDED = "published_test.go";

  private final Path folder;

  /**
   * Compiles a program, unless a module it needs cannot be had: then the test is skipped.
   *
   * @param name the folder in the resources
   * @param module what it is compared with, with its version, such as {@code example.com/a v1.0.0}
   */
  GoProgram(Path folder, String name, String module) {
    this.folder = folder;
    write(folder, "main.go", resource("/go/" + name + "/main.go"));
    write(
        folder,
        "go.mod",
        "module sluice.dev/compared\n\ngo 1.24\n\nrequire %s\n".formatted(module));
    if (run(List.of("go", "mod", "download", module.replace(" v", "@v")), Map.of()).code() != 0) {
      String advice = "the Go module %s cannot be downloaded".formatted(module);
      Skips.HERE.skip("what is compared with " + module, advice);
      Assumptions.abort(advice);
    }
    run(List.of("go", "build", "-o", "program", "."), Map.of()).orFail();
  }

  /** What it answers to questions, in their order. */
  List<Tree> ask(List<Tree> questions) {
    write(folder, "input", String.join("\n", questions.stream().map(Json::write).toList()));
    List<Tree> answers =
        run(List.of(folder.resolve("program").toString()), Map.of()).lines().stream()
            .map(line -> Json.parse(line).asTree())
            .toList();
    assertThat(answers).hasSameSizeAs(questions);
    return answers;
  }

  /** What it prints if it is called with an argument. */
  List<String> list(String argument) {
    return run(List.of(folder.resolve("program").toString(), argument), Map.of()).lines().stream()
        .map(Json::parse)
        .map(Value::asText)
        .toList();
  }

  /** The folder of a module in the cache of this machine. */
  Path sources(String module) {
    var list = List.of("go", "list", "-m", "-f", "{{.Dir}}", module);
    return Path.of(run(list, Map.of()).lines().getFirst());
  }

  /**
   * The documents that a test of ours writes when it is added to a package of Go's own library,
   * where it sees the cases of that package's tests.
   *
   * @param test a resource
   * @param output the environment variable that tells the test where to write
   */
  static List<Tree> published(Path folder, String library, String test, String output) {
    write(folder, ADDED, resource(test));
    Path root = Path.of(run(folder, List.of("go", "env", "GOROOT"), Map.of()).lines().getFirst());
    String place = root.resolve("src").resolve(library).resolve(ADDED).toString();
    Tree overlay = Tree.of("Replace", Tree.of(place, folder.resolve(ADDED).toString()));
    write(folder, "overlay.json", Json.write(overlay));
    Path cases = folder.resolve("cases");
    run(
            folder,
            List.of(
                "go", "test", "-count=1", "-overlay=overlay.json", "-run=^TestPublished$", library),
            Map.of(output, cases.toString()))
        .orFail();
    try {
      return Files.readAllLines(cases).stream().map(line -> Json.parse(line).asTree()).toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private record Ended(int code, List<String> lines) {
    Ended orFail() {
      assertThat(code).as("%s", String.join("\n", lines)).isZero();
      return this;
    }
  }

  private Ended run(List<String> command, Map<String, String> environment) {
    return run(folder, command, environment);
  }

  private static Ended run(Path folder, List<String> command, Map<String, String> environment) {
    Path output = folder.resolve("output");
    Path input = folder.resolve("input");
    try {
      var builder =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile());
      if (Files.exists(input)) {
        builder.redirectInput(input.toFile());
      }
      builder.environment().put("GOFLAGS", "-mod=mod -buildvcs=false");
      builder.environment().putAll(environment);
      Process process = builder.start();
      if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new AssertionError("%s took more than %d minutes".formatted(command, MINUTES));
      }
      return new Ended(process.exitValue(), new ArrayList<>(Files.readAllLines(output)));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", interrupted);
    }
  }

  private static void write(Path folder, String name, String text) {
    try {
      Files.writeString(folder.resolve(name), text);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** The text of a resource. */
  static String resource(String path) {
    try (InputStream file =
        Objects.requireNonNull(GoProgram.class.getResourceAsStream(path), path)) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
