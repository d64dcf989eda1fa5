package dev.sluice.engine.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.engine.scheduling.cluster.PodFacts;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whose leaving breaks a budget, if pods leave one after the other. */
class DisruptionBudgetsTest {
  private final SchedulingScene scene = new SchedulingScene();

  private List<String> broken(String... labels) {
    List<PodFacts> leaving =
        List.of(labels).stream().map(some -> scene.pod(name(some), some, "", "")).toList();
    return scene.budgets.broken(leaving).stream().map(pod -> pod.key().name()).toList();
  }

  /** Such as {@code app-a} for {@code app: a}. */
  private static String name(String labels) {
    return labels.isEmpty() ? "bare" : labels.replaceAll("[^a-z0-9]+", "-");
  }

  @Test
  void soManyMayGoAsItAllows() {
    scene.budget("b", "app", 1);

    assertThat(broken("app: app, n: a", "other: x", "app: app, n: b", "app: app, n: c"))
        .containsExactly("app-app-n-b", "app-app-n-c");
  }

  @Test
  void everyBudgetCountsThatCoversAPod() {
    scene.budget(
        "wide", "matchExpressions: [{key: app, operator: Exists}]", "disruptionsAllowed: 2");
    scene.budget("narrow", "b", 0);

    assertThat(broken("app: a", "app: b", "app: c")).containsExactly("app-b", "app-c");
  }

  @Test
  void disruptedPodIsNotCountedTwice() {
    scene.budget(
        "b",
        "matchLabels: {app: app}",
        "disruptionsAllowed: 0, disruptedPods: {app-app: '2030-01-01T00:00:00Z'}");

    assertThat(broken("app: app", "app: app, n: b")).containsExactly("app-app-n-b");
  }

  @Test
  void aBudgetWithoutSelectorProtectsNobody() {
    scene.budget("b", "", "disruptionsAllowed: 0");

    assertThat(broken("app: app", "")).isEmpty();
  }

  @Test
  void aBudgetWhoseStatusIsNotKnownYetLetsNobodyGo() {
    scene.budget("b", "matchLabels: {app: app}", "");

    assertThat(broken("app: app")).containsExactly("app-app");
  }
}
