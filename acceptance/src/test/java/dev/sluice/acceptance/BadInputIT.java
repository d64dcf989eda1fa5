package dev.sluice.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What wrong input gets: one sentence that says what and how, and nothing is changed. */
@Timeout(120)
class BadInputIT {

  record Case(String name, List<String> arguments, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> WRONG_USAGE =
      List.of(
          new Case(
              "an unknown flag",
              List.of("up", "--prot", "1"),
              "sluice: there is no option --prot; did you mean --port? See './sluice help up'."),
          new Case(
              "an unknown command",
              List.of("upp"),
              "sluice: there is no command 'upp'; did you mean up? See './sluice help'."),
          new Case(
              "a file that is not there",
              List.of("simulate", "none.yaml"),
              "sluice: there is no file none.yaml."),
          new Case(
              "a file that is no scenario",
              List.of("simulate", "README.md"),
              "sluice: README.md: "),
          new Case(
              "a port that is none",
              List.of("up", "--port", "65536"),
              "sluice: --port 65536 is none: it must be from 0 to 65535."),
          new Case(
              "a port that is no number",
              List.of("up", "--port", "http"),
              "sluice: Invalid value for option '--port': 'http' is not an int. See './sluice help"
                  + " up'."),
          new Case(
              "nodes that are none",
              List.of("up", "--simulated-nodes", "3:cpu"),
              "sluice: --simulated-nodes: "),
          new Case(
              "a kubeconfig that is not there",
              List.of("manager", "--kubeconfig", "none"),
              "sluice: the kubeconfig none is not a readable file."),
          new Case(
              "a kubeconfig that is none",
              List.of("manager", "--kubeconfig", "README.md"),
              "sluice: the kubeconfig README.md "),
          new Case(
              "no kubeconfig outside a cluster",
              List.of("manager"),
              "Name a kubeconfig file instead."),
          new Case(
              "a folder for a scenario",
              List.of("simulate", "examples"),
              "sluice: examples cannot be read: Is a directory."),
          new Case(
              "a controller that is none",
              List.of("manager", "--controllers", "queueing,magic"),
              "'magic' is none of: "));

  @TempDir private Path directory;

  @ParameterizedTest
  @FieldSource("WRONG_USAGE")
  void isOneSentenceAndExitCodeTwo(Case c) {
    SluiceProcess.Ended ended = SluiceProcess.run(c.arguments().toArray(String[]::new));

    assertThat(ended.errors()).contains(c.want());
    assertThat(ended.errors().strip().lines()).hasSize(1);
    assertThat(ended.exitCode()).isEqualTo(2);
  }

  @Test
  void aPortInUseIsNamedWithTheWayOut() throws IOException {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = String.valueOf(taken.getLocalPort());

      SluiceProcess.Ended ended =
          SluiceProcess.run("up", "--data-dir", directory.resolve("d").toString(), "--port", port);

      assertThat(ended.exitCode()).isEqualTo(1);
      assertThat(ended.errors()).contains(port).contains("--port");
    }
  }

  @Test
  void aForeignDirectoryIsRefusedAndLeftAsItIs() throws IOException {
    Files.writeString(directory.resolve("thesis.tex"), "years of work");

    assertRefusedAndLeftAsItIs();
  }

  private void assertRefusedAndLeftAsItIs() throws IOException {
    SortedMap<String, String> before = contents();

    SluiceProcess.Ended ended =
        SluiceProcess.run("up", "--data-dir", directory.toString(), "--port", "0");

    assertThat(ended.exitCode()).isEqualTo(1);
    assertThat(ended.errors()).contains(directory.toString());
    assertThat(contents()).isEqualTo(before);
  }

  @Test
  void aDamagedDirectoryIsRefusedAndLeftAsItIs() throws IOException {
    try (SluiceProcess sluice = SluiceProcess.up(directory)) {
      sluice.readyLine();
      sluice.terminate();
    }
    damage();

    assertRefusedAndLeftAsItIs();
  }

  @Test
  void aSecondUpOnTheSameDirectoryIsRefusedAndTheFirstGoesOn() {
    try (SluiceProcess first = SluiceProcess.up(directory)) {
      first.readyLine();

      SluiceProcess.Ended second =
          SluiceProcess.run("up", "--data-dir", directory.toString(), "--port", "0");

      assertThat(second.exitCode()).isEqualTo(1);
      assertThat(second.errors()).contains("in use");
      assertThat(first.isAlive()).isTrue();
      assertThat(first.terminate().exitCode()).isZero();
    }
  }

  /** Overwrites the middle of every large file, as a failing disk does. */
  private void damage() throws IOException {
    for (Path file : files()) {
      byte[] bytes = Files.readAllBytes(file);
      if (bytes.length > 8192) {
        for (int i = 4096; i < bytes.length; i++) {
          bytes[i] = 0x55;
        }
        Files.write(file, bytes);
      }
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      return paths.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private SortedMap<String, String> contents() throws IOException {
    var contents = new TreeMap<String, String>();
    for (Path file : files()) {
      contents.put(file.toString(), java.util.HexFormat.of().formatHex(Files.readAllBytes(file)));
    }
    return contents;
  }
}
