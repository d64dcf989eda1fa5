package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.controllers.assembly.ControllerSet;
import dev.sluice.controllers.assembly.ControllerSet.Group;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import picocli.CommandLine;

/** The controllers that {@code sluice up} runs. */
class UpCommandTest {
  private static Set<Group> groups(String... flags) {
    var command = new UpCommand();
    new CommandLine(command).parseArgs(flags);
    return command.groups();
  }

  @Test
  void allControllersOfAnEmbeddedClusterRunUnlessSomeAreChosen() {
    assertThat(groups()).isEqualTo(ControllerSet.EMBEDDED);
    assertThat(groups("--controllers", "queueing,scheduling,nodes", "--simulated-nodes"))
        .containsExactlyInAnyOrder(Group.QUEUEING, Group.SCHEDULING, Group.NODES);
    assertThat(groups("--controllers", "queueing", "--check-invariants"))
        .containsExactlyInAnyOrder(Group.QUEUEING, Group.INVARIANTS);
  }

  record Case(List<String> flags, String want) {}

  static final List<Case> IDLE =
      List.of(
          new Case(
              List.of("--controllers", "queueing", "--simulated-nodes"),
              "--simulated-nodes has no effect: add nodes to --controllers"),
          new Case(
              List.of("--controllers", "jobs", "--check-invariants"),
              "add queueing to --controllers"),
          new Case(
              List.of("--controllers", "jobs", "--scheduler-config", "f"),
              "--scheduler-config has no effect: add scheduling to --controllers"));

  @ParameterizedTest
  @FieldSource("IDLE")
  void flagWithoutItsControllerIsRefused(Case c) {
    assertThatThrownBy(() -> groups(c.flags().toArray(String[]::new)))
        .isInstanceOf(UserError.class)
        .hasMessageContaining(c.want());
  }
}
