import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * The format of all Java sources of the repository, which is google-java-format's. The build runs
 * this in the repository's folder, with one argument: {@code check} names the files that are not in
 * this format and fails if there are any, {@code apply} rewrites them.
 *
 * <p>All files take half a minute of cpu, so those that have not changed since all were right are
 * left out.
 */
final class Format {
  private static final Path LAST_RIGHT = Path.of("target", "format-is-right");

  private Format() {}

  public static void main(String... arguments) throws IOException {
    boolean apply = arguments[0].equals("apply");
    long begin = System.currentTimeMillis();
    var command = new ArrayList<>(List.of("--skip-reflowing-long-strings"));
    command.addAll(apply ? List.of("--replace") : List.of("--dry-run", "--set-exit-if-changed"));
    List<String> files = changedFiles();
    command.addAll(files);
    int status = files.isEmpty() ? 0 : format(command);
    if (status == 0) {
      Files.createDirectories(LAST_RIGHT.getParent());
      Files.writeString(LAST_RIGHT, "");
      LAST_RIGHT.toFile().setLastModified(begin);
    } else if (!apply) {
      System.err.println(
          "The format of these files is not right; mend it with: mvn -N verify -Dformat=apply");
    }
    System.exit(status);
  }

  private static int format(List<String> command) {
    return ToolProvider.findFirst("google-java-format")
        .orElseThrow()
        .run(System.out, System.err, command.toArray(String[]::new));
  }

  /** All files if the build itself has changed, because it names the formatter's version. */
  private static List<String> changedFiles() throws IOException {
    long lastRight = LAST_RIGHT.toFile().lastModified();
    long since = Path.of("pom.xml").toFile().lastModified() < lastRight ? lastRight : 0;
    try (Stream<Path> rooms = Files.list(Path.of(""))) {
      return Stream.concat(rooms.map(room -> room.resolve("src")), Stream.of(Path.of("dev")))
          .filter(Files::isDirectory)
          .flatMap(Format::javaFiles)
          .filter(file -> file.toFile().lastModified() >= since)
          .map(Path::toString)
          .sorted()
          .toList();
    }
  }

  private static Stream<Path> javaFiles(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
