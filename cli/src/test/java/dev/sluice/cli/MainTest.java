package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import picocli.CommandLine;

class MainTest {

  @TestFactory
  Stream<DynamicTest> everyCommandTakesHelp() {
    return Main.commandLine().getSubcommands().keySet().stream()
        .map(name -> DynamicTest.dynamicTest(name, () -> assertHelps(name)));
  }

  private static void assertHelps(String name) {
    var page = new StringWriter();
    CommandLine command = Main.commandLine().setOut(new PrintWriter(page));

    assertThat(command.execute(name, "--help")).isZero();
    assertThat(page.toString()).contains("Usage: sluice " + name).contains("-h, --help");
  }

  @Test
  void numbersHaveTheirUsualDigitsWhateverTheLanguageOfTheMachine() throws IOException {
    Process egyptian =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Duser.language=ar",
                "-Duser.country=EG",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "up",
                "--port",
                "65536")
            .redirectErrorStream(true)
            .start();

    try (Reader said = egyptian.inputReader(StandardCharsets.UTF_8)) {
      assertThat(said.readAllAsString())
          .contains("--port 65536 is none: it must be from 0 to 65535.");
    }
  }
}
