package dev.sluice.benchmarks.world;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * The live heap of a JVM: what is left after a full collection, as the JDK's own {@code jcmd}
 * counts it.
 *
 * @param classes the classes whose objects take most, a line each, for people
 */
public record LiveHeap(long bytes, List<String> classes) {
  private static final String RANK = "\\s*\\d+:\\s+\\d.*";

  public LiveHeap {
    classes = List.copyOf(classes);
  }

  /** Forces a full collection and counts what is left. */
  public static LiveHeap of(long pid) throws InterruptedException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    try {
      Process process =
          new ProcessBuilder(jcmd.toString(), Long.toString(pid), "GC.class_histogram")
              .redirectErrorStream(true)
              .start();
      String text =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (process.waitFor() != 0) {
        throw new FailedBenchmark("jcmd cannot count the server's heap: " + text);
      }
      return parse(text);
    } catch (IOException missing) {
      throw new FailedBenchmark(
          "counting the server's heap takes %s of a JDK: %s".formatted(jcmd, missing.getMessage()));
    }
  }

  /** Reads jcmd's table, whose last line is {@code Total OBJECTS BYTES}. */
  static LiveHeap parse(String table) {
    List<String> lines = table.lines().toList();
    String[] total = lines.isEmpty() ? new String[0] : lines.getLast().strip().split("\\s+");
    if (total.length != 3 || !total[0].equals("Total")) {
      throw new FailedBenchmark("jcmd gave no table of the server's heap but: " + table);
    }
    return new LiveHeap(
        Long.parseLong(total[2]), lines.stream().filter(line -> line.matches(RANK)).toList());
  }
}
