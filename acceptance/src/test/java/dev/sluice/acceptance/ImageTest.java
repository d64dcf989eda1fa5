package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The image of the manager, as far as it can be checked without building it. */
class ImageTest {
  private static final Path HOME = SluiceProcess.repository();

  private final String dockerfile = read("deploy/Dockerfile");

  @Test
  void theContextHasWhatIsCopiedAndNoCacheOfAnotherJdk() {
    List<String> copied =
        Pattern.compile("^COPY (\\S+) ", Pattern.MULTILINE)
            .matcher(dockerfile)
            .results()
            .map(found -> found.group(1))
            .toList();
    List<String> rules =
        read(".dockerignore").lines().filter(line -> !line.startsWith("#")).toList();

    assertThat(rules).startsWith("*");
    assertThat(rules.stream().filter(rule -> rule.startsWith("!")).map(rule -> rule.substring(1)))
        .containsExactlyElementsOf(copied);
    assertThat(rules.subList(rules.indexOf("!cli/target/dist"), rules.size()))
        .contains("cli/target/dist/*.aot");
  }

  @Test
  void theManagerHasTheSettingsOfTheLauncher() {
    String launcher = read("sluice");

    for (String file : List.of("all", "manager")) {
      assertThat(launcher).contains("\"@$home/config/jvm/" + file + "\"");
      assertThat(dockerfile).contains("\"@/sluice/jvm/" + file + "\"");
      assertThat(read("config/jvm/" + file)).containsPattern("(?m)^-");
    }
  }

  private static String read(String file) {
    try {
      return Files.readString(HOME.resolve(file));
    } catch (IOException missing) {
      throw new AssertionError(file + " is missing", missing);
    }
  }
}
