package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The packages of every room, read from its sources: also those of tests and benchmarks, which no
 * other room has on its class path.
 */
class PackageRulesTest {
  private static final Path REPOSITORY = SluiceProcess.repository();
  private static final int MAX_FILES = 30;
  private static final int MAX_PUBLIC_TYPES_OF_CAPSULE = 10;
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
  private static final Pattern IMPORT =
      Pattern.compile("(?m)^import (?:static )?((?:[a-z]\\w*\\.)+)([A-Z]\\w*).*;");
  private static final Pattern COMMENT = Pattern.compile("/\\*[\\s\\S]*?\\*/|//[^\\n]*");
  private static final Pattern PUBLIC_TYPE =
      Pattern.compile(
          "(?m)^public (?:final |abstract |sealed |non-sealed )*(class|interface|record|enum) ");

  /** One source file without its comments. */
  private record Source(String packageName, String simpleName, String code) {

    /** The packages of the types that the code names; an import for a comment does not count. */
    Stream<String> imports(SortedSet<String> types) {
      return IMPORT
          .matcher(code)
          .results()
          .filter(found -> types.contains(found.group(1) + found.group(2)) && isUsed(found))
          .map(found -> found.group(1).substring(0, found.group(1).length() - 1));
    }

    private boolean isUsed(MatchResult found) {
      return found.group().startsWith("import static")
          || Pattern.compile("\\b" + found.group(2) + "\\b").matcher(code).results().count() > 1;
    }
  }

  /** The main or the test sources of a room. */
  record Sources(String room, String set) {
    Path folder() {
      return REPOSITORY.resolve(room).resolve("src").resolve(set).resolve("java");
    }

    @Override
    public String toString() {
      return set + " of " + room;
    }
  }

  static Stream<Sources> allSources() throws IOException {
    try (Stream<Path> folders = Files.list(REPOSITORY)) {
      return folders
          .map(folder -> folder.getFileName().toString())
          .sorted()
          .flatMap(room -> Stream.of(new Sources(room, "main"), new Sources(room, "test")))
          .filter(sources -> Files.isDirectory(sources.folder()))
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("allSources")
  void packagesHaveNoCycle(Sources sources) throws IOException {
    List<Source> files = read(sources.folder());
    var types = new TreeSet<String>();
    files.forEach(file -> types.add(file.packageName() + "." + file.simpleName()));
    SortedMap<String, SortedSet<String>> dependencies = new TreeMap<>();
    for (Source file : files) {
      Set<String> needed =
          dependencies.computeIfAbsent(file.packageName(), name -> new TreeSet<>());
      file.imports(types).forEach(needed::add);
    }

    assertThat(withoutCycles(dependencies))
        .as("packages of a cycle, each with those of them that it needs")
        .isEmpty();
  }

  @Test
  void largePackagesAreCapsules() throws IOException {
    SortedMap<String, Integer> files = new TreeMap<>();
    SortedMap<String, Integer> publicTypes = new TreeMap<>();
    for (Sources sources : allSources().filter(of -> of.set().equals("main")).toList()) {
      for (Source file : read(sources.folder())) {
        files.merge(file.packageName(), 1, Integer::sum);
        int isPublic = PUBLIC_TYPE.matcher(file.code()).find() ? 1 : 0;
        publicTypes.merge(file.packageName(), isPublic, Integer::sum);
      }
    }
    files.values().removeIf(count -> count <= MAX_FILES);
    files.keySet().removeIf(name -> publicTypes.get(name) <= MAX_PUBLIC_TYPES_OF_CAPSULE);

    assertThat(files).as("packages to split, with their number of files").isEmpty();
  }

  /** Takes away the packages that need none of the rest, until only cycles are left. */
  private static Map<String, SortedSet<String>> withoutCycles(
      SortedMap<String, SortedSet<String>> dependencies) {
    dependencies.forEach((name, needed) -> needed.remove(name));
    var free = new ArrayDeque<String>();
    dependencies.forEach((name, needed) -> {
      if (needed.isEmpty()) {
        free.add(name);
      }
    });
    for (String gone = free.poll(); gone != null; gone = free.poll()) {
      dependencies.remove(gone);
      for (var entry : dependencies.entrySet()) {
        if (entry.getValue().remove(gone) && entry.getValue().isEmpty()) {
          free.add(entry.getKey());
        }
      }
    }
    return dependencies;
  }

  private static List<Source> read(Path folder) throws IOException {
    var sources = new ArrayList<Source>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).sorted().toList()) {
        String name = file.getFileName().toString().replace(".java", "");
        if (!name.equals("package-info")) {
          String code = COMMENT.matcher(Files.readString(file)).replaceAll("");
          String packageName = PACKAGE.matcher(code).results().findFirst().orElseThrow().group(1);
          sources.add(new Source(packageName, name, code));
        }
      }
    }
    return sources;
  }
}
