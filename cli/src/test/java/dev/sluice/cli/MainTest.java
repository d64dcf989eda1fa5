package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
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
}
