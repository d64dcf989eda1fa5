package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.controllers.configuration.Purpose;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

class ConfigurationOptionsTest {
  private static final String HEAD =
      "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n";

  @Command(name = "any")
  private static final class AnyCommand {
    @Mixin private final ConfigurationOptions options = new ConfigurationOptions();
  }

  @TempDir Path directory;
  private final StringWriter err = new StringWriter();

  @Test
  void withoutOptionsTheDefaultsHold() {
    assertThat(load().frameworks()).containsAll(Configuration.DEFAULT.frameworks());
    assertThat(load().gates()).isEqualTo(Configuration.DEFAULT.gates());
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void gatesMayBeGivenTogetherOrOneByOne() {
    Configuration configuration =
        load(
            "--feature-gates",
            "PriorityBoost=true,PartialAdmission=false",
            "--feature-gates=ShortWorkloadNames=true");

    assertThat(configuration.has(Gate.PRIORITY_BOOST)).isTrue();
    assertThat(configuration.has(Gate.PARTIAL_ADMISSION)).isFalse();
    assertThat(configuration.has(Gate.SHORT_WORKLOAD_NAMES)).isTrue();
  }

  @Test
  void readsTheFileAndSaysWhatHasNoEffect() throws IOException {
    Path file = file(HEAD + "namespace: batch\ncolour: red\nshape: round\n");

    assertThat(load("--config", file.toString()).namespace()).isEqualTo("batch");
    assertThat(err.toString().lines())
        .containsExactly(
            file + ": colour: has no effect: there is no such field",
            file + ": shape: has no effect: there is no such field");
  }

  /** In a directory that cannot be one, so that nothing is started. */
  @Test
  void upSaysWhatIsForManagers() throws IOException {
    Path file = file(HEAD + "leaderElection: {leaderElect: false}\nmetrics: {bindAddress: ':9'}\n");

    int left =
        Main.commandLine()
            .setErr(new PrintWriter(err, true))
            .execute("up", "--config", file.toString(), "--data-dir", file.toString());

    assertThat(left).isEqualTo(1);
    assertThat(err.toString().lines())
        .startsWith(
            file + ": leaderElection: has no effect: it is for sluice manager",
            file + ": metrics.bindAddress: has no effect: the API server serves them, at /metrics");
  }

  record Case(String name, String text, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> WRONG =
      List.of(
          new Case(
              "malformed",
              "kind: Configuration\n  a: b",
              ": line 2, column 4: mapping values are not allowed here"),
          new Case(
              "another kind", "apiVersion: v1\nkind: Pod", ": kind: \"Pod\" is not Configuration"),
          new Case(
              "two problems",
              HEAD + "webhook: {port: 0}\nnamespace: 7",
              ": namespace: 7 is not a text; put it in quotes; webhook.port: 0 is not a whole"
                  + " number from 1 to 65535"),
          new Case("not text", "\u00ff", " is not text in UTF-8"),
          new Case(
              "large",
              "#".repeat(5 << 20),
              " is too large to be a configuration: it may have 4 MiB"));

  @ParameterizedTest
  @FieldSource("WRONG")
  void namesTheFileAndWhatIsWrongInIt(Case c) throws IOException {
    Path file = file(c.text());

    assertThatThrownBy(() -> load("--config", file.toString()))
        .isInstanceOf(UserError.class)
        .hasMessage(file + c.want());
  }

  @Test
  void namesAFileThatIsNotThere() {
    assertThatThrownBy(() -> load("--config", "none.yaml"))
        .isInstanceOf(UserError.class)
        .hasMessage("there is no file none.yaml");
    assertThatThrownBy(() -> load("--config", directory.toString()))
        .isInstanceOf(UserError.class)
        .hasMessage(directory + " cannot be read: Is a directory");
  }

  @Test
  void refusesGatesThatAreNeitherOnNorOff() {
    assertThatThrownBy(() -> load("--feature-gates", "PriorityBoost=perhaps"))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining("'perhaps' is not a boolean");
    assertThatThrownBy(() -> load("--feature-gates", "PriorityBoost"))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining("--feature-gates");
  }

  private Configuration load(String... arguments) {
    var command = new AnyCommand();
    new CommandLine(command).setErr(new PrintWriter(err)).parseArgs(arguments);
    return command.options.load(Purpose.CONTROL_PLANE).configuration();
  }

  private Path file(String text) throws IOException {
    Path file = directory.resolve("configuration.yaml");
    // Beyond ASCII this is not UTF-8.
    return Files.write(file, text.getBytes(StandardCharsets.ISO_8859_1));
  }
}
