package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestCommandTest {
  @TempDir Path directory;
  private final StringWriter out = new StringWriter();

  private int run(String... arguments) {
    var line = Main.commandLine();
    line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(out, true));
    return line.execute(arguments);
  }

  private void write(String name, String spec) throws IOException {
    Files.writeString(
        directory.resolve(name),
        "{apiVersion: sluice.dev/v1alpha1, kind: Scenario, metadata: {name: s}, spec: {%s}}"
            .formatted(spec));
  }

  @Test
  void summaryAndReportNameWhatDoesNotHold() throws IOException {
    write("good.yaml", "expectations: [{jobsFailed: 0}]");
    write("bad.yaml", "expectations: [{preemptions: {atLeast: 3}}]");
    write("wrong.yaml", "horizn: 1h");
    Path report = directory.resolve("reports/junit.xml");

    assertThat(run("test", directory.toString(), "--junit", report.toString())).isEqualTo(1);

    assertThat(out.toString())
        .contains("3 scenarios, 1 hold, 2 fail")
        .contains("preemptions: {\"atLeast\":3} does not hold: it is 0, not at least 3")
        .contains("line 1: spec.horizn: there is no such field; did you mean horizon?");
    assertThat(Files.readString(report))
        .contains("tests=\"3\" failures=\"2\"")
        .contains("<testcase classname=\"scenarios\" name=\"good.yaml\"")
        .contains("<failure message=\"preemptions: {&quot;atLeast&quot;:3}");
  }

  @Test
  void scenariosThatAllHoldSucceed() throws IOException {
    write("good.yaml", "expectations: [{jobsFailed: 0}]");

    assertThat(run("test", directory.toString())).isZero();
  }

  @Test
  void folderWithoutScenariosIsRefused() {
    assertThat(run("test", directory.toString())).isEqualTo(2);
    assertThat(run("test", directory.resolve("none").toString())).isEqualTo(2);
    assertThat(out.toString()).contains("has no .yaml file").contains("there is no folder");
  }

  @Test
  void schemaIsPrintedForEditors() {
    assertThat(run("simulate", "--schema")).isZero();
    assertThat(out.toString()).startsWith("{").contains("\"nodePools\"");
  }

  @Test
  void objectOfAnUnknownKindIsNamedWithItsLine() throws IOException {
    Path file = directory.resolve("s.yaml");
    Files.writeString(
        file,
        """
        {apiVersion: v1, kind: ConfigMap, metadata: {name: m}}
        ---
        # a comment
        {apiVersion: v1, kind: Pot, metadata: {name: p, annotations: {sluice.dev/at: 1h}}}
        """);

    assertThat(run("simulate", file.toString())).isEqualTo(2);
    assertThat(out.toString()).contains("s.yaml: line 4: v1 Pot: no such kind").contains("Pod?");
  }
}
