package dev.sluice.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.model.tree.Tree;
import dev.sluice.simulator.replay.DecisionFile.Origin;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

final class DecisionFileTest {
  private static final Origin ORIGIN = new Origin("e1.yaml", "abc", "fair", 7, "1.0");
  private static final Tree ADMIT = Tree.of("decision", "Admit", "workload", "n/a");
  private static final Tree WAIT = Tree.of("decision", "Wait", "workload", "n/a");

  record Case(String name, List<Tree> recorded, List<Tree> now, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          new Case("equal", List.of(ADMIT, WAIT), List.of(ADMIT, WAIT), ""),
          new Case(
              "another decision",
              List.of(ADMIT, ADMIT),
              List.of(ADMIT, WAIT),
              "line 3: decision was \"Admit\" and is \"Wait\""),
          new Case(
              "a decision more",
              List.of(),
              List.of(WAIT),
              "line 2: the log ends, and the run decides further:"
                  + " {\"decision\":\"Wait\",\"workload\":\"n/a\"}"),
          new Case(
              "a decision less",
              List.of(WAIT),
              List.of(),
              "line 2: the run ends, and the log goes on:"
                  + " {\"decision\":\"Wait\",\"workload\":\"n/a\"}"));

  @ParameterizedTest
  @FieldSource("CASES")
  void firstDifferenceIsNamed(Case test) {
    DecisionFile file = DecisionFile.parse(DecisionFile.of(ORIGIN, test.recorded).lines());

    assertThat(file.origin()).isEqualTo(ORIGIN);
    assertThat(file.divergence(test.now).map(DecisionFile.Divergence::text).orElse(""))
        .isEqualTo(test.want);
  }

  @Test
  void fileWithoutItsRunIsRefused() {
    assertThatThrownBy(() -> DecisionFile.parse(List.of("{\"decision\":\"Admit\"}")))
        .hasMessageContaining("its first line names no scenario");
  }
}
