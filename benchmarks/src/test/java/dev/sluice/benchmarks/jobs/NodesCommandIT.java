package dev.sluice.benchmarks.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.cli.UserError;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The smallest run against the real control plane, in a process of its own. */
class NodesCommandIT {

  @Test
  void fillsNodesAndReportsWhatThePodsTake() {
    var out = new StringWriter();
    var command = new CommandLine(new NodesCommand());
    command.setOut(new PrintWriter(out));

    int code =
        command.execute(
            "--nodes=3",
            "--pods=300",
            "--classes=1",
            "--server-java-option=-XX:TieredStopAtLevel=1",
            "--server-java-option=-XX:+UseSerialGC");

    assertThat(code).isZero();
    assertThat(out.toString())
        .startsWith("3 nodes, ")
        .contains("        3 pods ", "       30 pods ", "      300 pods ", " bytes a pod ", "1:");
  }

  @Test
  void saysWhatFitsOnTheNodes() {
    var command = new NodesCommand();
    new CommandLine(command).parseArgs("--nodes=3", "--pods=331");

    assertThatThrownBy(command::call)
        .isInstanceOf(UserError.class)
        .hasMessageContaining("--pods 331 on --nodes 3")
        .hasMessageContaining("at most 110 on a node");
  }
}
