package dev.sluice.benchmarks.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The smallest load against the real control plane, in a process of its own. */
class QueueCommandIT {

  @Test
  void playsALoadToItsEndAndReportsIt(@TempDir Path directory) throws Exception {
    var out = new StringWriter();
    Path json = directory.resolve("report.json");
    var command = new CommandLine(new QueueCommand()).setCaseInsensitiveEnumValuesAllowed(true);
    command.setOut(new PrintWriter(out));

    int code =
        command.execute(
            "--scale=0.01",
            "--timeout=60",
            "--json=" + json,
            "--server-java-option=-XX:TieredStopAtLevel=1",
            "--server-java-option=-XX:+UseSerialGC");

    assertThat(code).isZero();
    assertThat(out.toString()).contains("180 workloads in 30 queues", "wall time", "sluice up");
    Tree report = Json.parse(Files.readString(json)).asTree();
    assertThat(report.whole("workloads")).hasValue(180);
    assertThat(report.whole("virtualMillis").orElseThrow())
        .isBetween(
            report.whole("lowerBoundMillis").orElseThrow(),
            report.whole("wallMillis").orElseThrow());
    // Each workload is created, admitted and finished, by the server as it says itself.
    assertThat(report.whole("storeWrites").orElseThrow()).isGreaterThanOrEqualTo(3 * 180);
    assertThat(report.whole("requests").orElseThrow()).isGreaterThanOrEqualTo(2 * 180);
    assertThat(report.trees("classes"))
        .extracting(each -> each.text("name"))
        .containsExactly("small", "medium", "large");
    assertThat(report.trees("classes"))
        .extracting(each -> each.whole("meanMillisToAdmission").orElse(0))
        .allMatch(millis -> millis > 0);
    assertThat(report.trees("servers").getFirst().whole("cpuMillis").orElse(0)).isPositive();
  }
}
