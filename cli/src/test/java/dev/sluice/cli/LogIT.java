package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.store.Stores;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log of {@code sluice up} as a process, in a time zone of its own. */
final class LogIT {
  private static final String TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}\\+05:30";

  @TempDir private Path folder;

  /** A damaged certificate, which is logged as a warning and then replaced. */
  @BeforeEach
  void damageCertificate() throws IOException {
    Stores.open(folder.resolve("data")).close();
    Path pki = Files.createDirectories(folder.resolve("data/pki"));
    Files.writeString(pki.resolve("ca.crt"), "damaged");
    Files.writeString(pki.resolve("ca.key"), "damaged");
  }

  @Test
  void everyLineHasDateZoneAndLevel() throws Exception {
    assertThat(log())
        .isNotEmpty()
        .allMatch(line -> line.matches(TIME + " (ERROR|WARN ) \\w+: .+"))
        .anyMatch(line -> line.matches(TIME + " WARN  Certificates: .*ca\\.crt is damaged.*"));
  }

  @Test
  void everyLineIsAnObjectIfJsonIsAskedFor() throws Exception {
    assertThat(log("--log-format", "json"))
        .isNotEmpty()
        .allSatisfy(line -> {
          Tree entry = Json.parseTree(line.getBytes(StandardCharsets.UTF_8));
          assertThat(entry.text("timestamp")).matches(TIME);
          assertThat(entry.text("level")).isIn("ERROR", "WARN");
          assertThat(entry.text("logger")).contains(".");
          assertThat(entry.text("message")).isNotEmpty();
        })
        .anyMatch(line -> line.contains("dev.sluice.apiserver.security.Certificates"));
  }

  @Test
  void levelOfTheFlagLeavesOutWhatIsLessSevere() throws Exception {
    assertThat(log("--log-level", "error")).isEmpty();
  }

  /** What a control plane logs until it is ready. */
  private List<String> log(String... flags) throws Exception {
    Path errors = folder.resolve("errors");
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--sun-misc-unsafe-memory-access=allow"));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("up", "--port", "0", "--no-local-node"));
    command.addAll(List.of("--data-dir", folder.resolve("data").toString()));
    command.addAll(List.of(flags));
    var builder = new ProcessBuilder(command).redirectError(errors.toFile());
    builder.environment().put("TZ", "Asia/Kolkata");
    builder.environment().remove("SLUICE_LOG");
    Process process = builder.start();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      assertThat(out.readLine()).startsWith("Sluice is ready on port ");
      process.toHandle().destroy();
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return Files.readAllLines(errors);
  }
}
