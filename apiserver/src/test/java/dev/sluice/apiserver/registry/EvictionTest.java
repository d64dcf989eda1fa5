package dev.sluice.apiserver.registry;

import static dev.sluice.apiserver.registry.World.refused;
import static dev.sluice.model.Kinds.POD;
import static dev.sluice.model.Kinds.POD_DISRUPTION_BUDGET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiFailure.Reason;
import dev.sluice.model.ApiObject;
import dev.sluice.model.core.PodDisruptionBudget;
import dev.sluice.model.core.pod.Disruption;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.Tree;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** How pods are taken down with their budgets in mind. */
class EvictionTest {
  private final World world = new World();

  private ApiObject runningPod(String name, boolean ready) {
    Tree body =
        Samples.pod(name)
            .with(List.of("metadata", "labels"), Tree.of("app", "a"))
            .with(List.of("spec", "nodeName"), "n");
    ApiObject pod = world.create(POD, body);
    Tree status =
        World.yaml(
            "{phase: Running, conditions: [{type: Ready, status: '%s'}]}"
                .formatted(ready ? "True" : "False"));
    return world.updateStatus(POD, pod.withStatus(status));
  }

  private void budget(String name, String spec, String status) {
    ApiObject budget =
        world.create(
            POD_DISRUPTION_BUDGET,
            ("{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: %s},"
                    + " spec: {selector: {matchLabels: {app: a}}, minAvailable: 1%s}}")
                .formatted(name, spec));
    world.updateStatus(POD_DISRUPTION_BUDGET, budget.withStatus(World.yaml(status)));
  }

  private Tree evict(String pod) {
    Tree body =
        World.yaml("{apiVersion: policy/v1, kind: Eviction, metadata: {name: %s}}".formatted(pod));
    return world.registry.post(world.served(POD), "default", pod, "eviction", body, world.options);
  }

  private Pod pod(String name) {
    return new Pod(world.get(POD, name));
  }

  @Test
  void aPodWithoutABudgetIsToldWhyAndGoes() {
    runningPod("p", true);

    assertThat(evict("p").text("status")).isEqualTo("Success");
    assertThat(pod("p").isDeleting()).isTrue();
    assertThat(pod("p").status().reason(Disruption.CONDITION)).isEqualTo("EvictionByEvictionAPI");
    assertThat(pod("p").status().message(Disruption.CONDITION)).isEqualTo("Eviction API: evicting");
  }

  @Test
  void aBudgetIsSpentUntilNothingIsLeft() {
    runningPod("p", true);
    runningPod("q", true);
    budget(
        "b",
        "",
        "{observedGeneration: 1, disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1,"
            + " expectedPods: 2}");
    evict("p");

    ApiFailure refused = refused(Reason.TOO_MANY_REQUESTS, () -> evict("q"));

    assertThat(pod("p").isDeleting()).isTrue();
    assertThat(pod("q").isDeleting()).isFalse();
    assertThat(pod("q").status().holds(Disruption.CONDITION)).isFalse();
    assertThat(refused.message())
        .isEqualTo("Cannot evict pod as it would violate the pod's disruption budget.");
    assertThat(refused.causes().getFirst().message())
        .isEqualTo("The disruption budget b does not allow evicting pods currently");
    var budget = new PodDisruptionBudget(world.get(POD_DISRUPTION_BUDGET, "b"));
    assertThat(budget.disrupted()).hasToString("{p=2026-01-01T00:00:00Z}");
  }

  @Test
  void aBudgetThatNobodyCountedYetLetsNobodyGo() {
    runningPod("p", true);
    budget("b", "", "{}");

    ApiFailure refused = refused(Reason.TOO_MANY_REQUESTS, () -> evict("p"));

    assertThat(refused.retryAfterSeconds()).isEqualTo(10);
    assertThat(refused.causes().getFirst().message())
        .isEqualTo("The disruption budget b is still being processed by the server.");
  }

  @Test
  void aBudgetThatNeedsMorePodsThanThereAreSaysSo() {
    runningPod("p", true);
    budget(
        "b",
        "",
        "{observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1}");

    assertThat(refused(Reason.TOO_MANY_REQUESTS, () -> evict("p")).causes().getFirst().message())
        .isEqualTo("The disruption budget b needs 1 healthy pods and has 1 currently");
  }

  @Test
  void aBudgetThatNobodyCanCountSaysWhy() {
    runningPod("p", true);
    budget(
        "b",
        "",
        "{observedGeneration: 1, disruptionsAllowed: 0, conditions: [{type: DisruptionAllowed,"
            + " status: 'False', reason: SyncFailed, message: jobs.batch has no scale}]}");

    ApiFailure refused = refused(Reason.TOO_MANY_REQUESTS, () -> evict("p"));

    assertThat(refused.retryAfterSeconds()).isZero();
    assertThat(refused.causes().getFirst().message())
        .isEqualTo(
            "The disruption budget b does not allow evicting pods currently because it failed sync:"
                + " jobs.batch has no scale");
  }

  @Test
  void twoBudgetsAreTooMany() {
    runningPod("p", true);
    budget("b", "", "{observedGeneration: 1, disruptionsAllowed: 1}");
    budget("c", "", "{observedGeneration: 1, disruptionsAllowed: 1}");

    assertThat(refused(Reason.INTERNAL_ERROR, () -> evict("p")).message())
        .contains("more than one PodDisruptionBudget");
  }

  @Test
  void aPodThatIsNotHealthyTakesNothingFromTheOthers() {
    runningPod("p", false);
    budget(
        "b",
        "",
        "{observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1}");
    evict("p");

    assertThat(pod("p").isDeleting()).isTrue();
  }

  @Test
  void aPodThatIsNotHealthyStaysWhereTooFewAreUnlessTheBudgetLetsItGo() {
    runningPod("p", false);
    budget("b", "", "{observedGeneration: 1, disruptionsAllowed: 0, desiredHealthy: 1}");
    refused(Reason.TOO_MANY_REQUESTS, () -> evict("p"));
    world.delete(POD_DISRUPTION_BUDGET, "b");
    budget(
        "c",
        ", unhealthyPodEvictionPolicy: AlwaysAllow",
        "{observedGeneration: 1, disruptionsAllowed: 0, desiredHealthy: 1}");
    evict("p");

    assertThat(pod("p").isDeleting()).isTrue();
  }

  @Test
  void aPodThatDoesNotRunNeedsNoBudget() {
    world.create(POD, Samples.pod("p").with(List.of("metadata", "labels"), Tree.of("app", "a")));
    budget("b", "", "{observedGeneration: 1, disruptionsAllowed: 0}");
    evict("p");

    assertThat(world.find(POD, "p")).isEmpty();
  }

  record Case(String name, String spec, String want) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> REFUSED =
      List.of(
          new Case("both", "{minAvailable: 1, maxUnavailable: 1}", "cannot be both set"),
          new Case("below zero", "{minAvailable: -1}", "must be greater than or equal to 0"),
          new Case("no percentage", "{maxUnavailable: many}", "a valid percent string must be"),
          new Case("too much", "{maxUnavailable: 101%}", "must not be greater than 100%"),
          new Case(
              "another policy",
              "{unhealthyPodEvictionPolicy: Never}",
              "supported values: \"AlwaysAllow\", \"IfHealthyBudget\""));

  @ParameterizedTest
  @FieldSource("REFUSED")
  void aBudgetIsRefused(Case c) {
    String body =
        "{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b}, spec: %s}"
            .formatted(c.spec());

    assertThat(refused(Reason.INVALID, () -> world.create(POD_DISRUPTION_BUDGET, body)).message())
        .contains(c.want());
  }

  @Test
  void aNewPodStaysForFiveMinutesOnALostNode() {
    List<Tree> plain = world.create(POD, Samples.pod("p")).spec().trees("tolerations");
    Tree own =
        World.yaml("{key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute}");
    Tree some = Samples.pod("q").with(List.of("spec", "tolerations"), List.of(own));
    List<Tree> mixed = world.create(POD, some).spec().trees("tolerations");
    Tree all = World.yaml("{operator: Exists}");
    Tree any = Samples.pod("r").with(List.of("spec", "tolerations"), List.of(all));

    assertThat(plain)
        .extracting(tree -> tree.text("key") + " " + tree.whole("tolerationSeconds").orElse(0))
        .containsExactly("node.kubernetes.io/not-ready 300", "node.kubernetes.io/unreachable 300");
    assertThat(mixed).hasSize(2).contains(own);
    assertThat(world.create(POD, any).spec().trees("tolerations")).containsExactly(all);
  }
}
