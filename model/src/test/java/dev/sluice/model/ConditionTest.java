package dev.sluice.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.tree.Tree;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ConditionTest {
  private static final Instant EARLIER = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant LATER = Instant.parse("2026-01-01T00:01:00Z");

  @Test
  void theTimeOfTransitionMovesOnlyWhenTheConditionTurns() {
    Tree first = new Condition("Ready", false, "Waiting", "for a").in(Tree.EMPTY, EARLIER);
    Tree reworded = new Condition("Ready", false, "Waiting", "for b").in(first, LATER);
    Tree turned = new Condition("Ready", true, "Ready", "").in(reworded, LATER);

    assertThat(Condition.since(reworded, "Ready")).contains(EARLIER);
    assertThat(Condition.find(reworded, "Ready").orElseThrow().text("message")).isEqualTo("for b");
    assertThat(Condition.since(turned, "Ready")).contains(LATER);
    assertThat(Condition.holds(turned, "Ready")).isTrue();
  }

  @Test
  void sayingTheSameAgainChangesNothing() {
    var condition = new Condition("Ready", true, "Ready", "it is");
    Tree once = condition.in(Tree.EMPTY, EARLIER);

    assertThat(condition.in(once, LATER)).isEqualTo(once);
  }

  @Test
  void otherConditionsKeepTheirPlace() {
    Tree status = new Condition("A", true, "R", "").in(Tree.EMPTY, EARLIER);
    status = new Condition("B", true, "R", "").in(status, EARLIER);
    status = new Condition("A", false, "R", "").in(status, LATER);

    assertThat(status.trees("conditions").stream().map(c -> c.text("type")))
        .containsExactly("A", "B");
    assertThat(Condition.without(status, "A").trees("conditions")).hasSize(1);
  }

  @Test
  void onlyWhatSaysSomethingNewTellsOfTheGenerationThatWasSeen() {
    Tree before = new Condition("Same", true, "R", "").in(Tree.EMPTY, EARLIER);
    before = new Condition("Reworded", true, "R", "old").in(before, EARLIER);
    ApiObject seen =
        ApiObject.of(Kinds.WORKLOAD, "default", "w")
            .withMetadata("generation", 7)
            .withStatus(before);
    Tree after = new Condition("Reworded", true, "R", "new").in(before, LATER);
    after = new Condition("Same", true, "R", "").in(after, LATER);
    after = new Condition("New", false, "R", "").in(after, LATER);

    assertThat(Condition.observed(seen, after).trees("conditions"))
        .extracting(one -> one.text("type") + " " + one.whole("observedGeneration").orElse(0))
        .containsExactly("Same 0", "Reworded 7", "New 7");
    assertThat(Condition.observed(seen, Tree.EMPTY)).isEqualTo(Tree.EMPTY);
  }
}
