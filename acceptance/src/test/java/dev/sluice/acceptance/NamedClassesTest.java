package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The classes that documents for maintainers name: each exists under that name. */
class NamedClassesTest {
  private static final Path REPOSITORY = SluiceProcess.repository();
  private static final Pattern CLASS_NAME = Pattern.compile("`([A-Z][a-z]\\w*)[^`]*`");

  @ParameterizedTest
  @ValueSource(
      strings = {"ARCHITECTURE.md", "docs/admission.md", "docs/running-pods.md", "SECURITY.md"})
  void everyNamedClassExists(String document) throws IOException {
    var named = new TreeSet<String>();
    String text = Files.readString(REPOSITORY.resolve(document));
    CLASS_NAME.matcher(text).results().forEach(found -> named.add(found.group(1)));

    assertThat(named).isNotEmpty();
    named.removeAll(classes());
    assertThat(named).as("classes that %s names and no room has", document).isEmpty();
  }

  @Test
  void everyRuleOfSecurityNamesItsTest() throws IOException {
    List<String> rows =
        Files.readAllLines(REPOSITORY.resolve("SECURITY.md")).stream()
            .filter(line -> line.startsWith("| ") && !line.endsWith(" test |"))
            .toList();

    assertThat(rows).isNotEmpty().allMatch(row -> row.matches(".*\\| `\\w+(Test|IT)` \\|"));
  }

  private static SortedSet<String> classes() throws IOException {
    try (Stream<Path> files =
        Files.find(
            REPOSITORY,
            Integer.MAX_VALUE,
            (path, attributes) -> path.toString().matches(".*/src/(main|test)/java/.*\\.java"))) {
      var names = new TreeSet<String>();
      files.forEach(file -> names.add(file.getFileName().toString().replace(".java", "")));
      return names;
    }
  }
}
