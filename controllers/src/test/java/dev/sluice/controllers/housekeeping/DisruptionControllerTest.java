package dev.sluice.controllers.housekeeping;

import static dev.sluice.testkit.Worlds.pass;
import static dev.sluice.testkit.Worlds.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.core.PodDisruptionBudget;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class DisruptionControllerTest {
  private final FakeCluster cluster = new FakeCluster(1);
  private final VirtualDriver driver =
      Worlds.driver(cluster, 1, List.of(new DisruptionController(cluster)));

  @AfterEach
  void stop() {
    driver.close();
  }

  private void addBudget(String spec) {
    ApiObject budget =
        yaml(
            """
            {apiVersion: policy/v1, kind: PodDisruptionBudget,
             metadata: {name: b, namespace: default},
             spec: {selector: {matchLabels: {app: a}}, %s}}
            """
                .formatted(spec));
    cluster.create(Kinds.POD_DISRUPTION_BUDGET, budget);
    driver.settle();
  }

  private void addPod(String name, String app, boolean ready) {
    ApiObject pod =
        ApiObject.of(Kinds.POD, "default", name)
            .withLabel("app", app)
            .withSpec(Tree.of("nodeName", "n"));
    Tree status =
        new Condition("Ready", ready, "", "").in(Tree.of("phase", "Running"), cluster.time().now());
    cluster.patchStatus(Kinds.POD, cluster.create(Kinds.POD, pod), status);
    driver.settle();
  }

  private PodDisruptionBudget budget() {
    return new PodDisruptionBudget(
        cluster.require(Kinds.POD_DISRUPTION_BUDGET.key("default", "b")));
  }

  private String counts() {
    Tree status = budget().object().status();
    return "%d healthy of %d, %d wanted, %d may go: %s"
        .formatted(
            budget().currentHealthy(),
            status.whole("expectedPods").orElse(-1),
            budget().desiredHealthy(),
            budget().disruptionsAllowed(),
            Condition.find(status, "DisruptionAllowed").orElseThrow().text("reason"));
  }

  @Test
  void podsBeyondTheBudgetMayBeDisrupted() {
    addBudget("minAvailable: 1");
    assertThat(counts()).isEqualTo("0 healthy of 0, 1 wanted, 0 may go: InsufficientPods");
    addPod("p", "a", true);
    addPod("q", "a", true);
    addPod("sick", "a", false);
    addPod("other", "b", true);

    assertThat(counts()).isEqualTo("2 healthy of 3, 1 wanted, 1 may go: SufficientPods");
    assertThat(budget().isObserved()).isTrue();
  }

  @Test
  void aPodThatWasLetGoDoesNotCountForTwoMinutes() {
    addBudget("minAvailable: 1");
    addPod("p", "a", true);
    addPod("q", "a", true);
    ApiObject seen = budget().object();
    PodDisruptionBudget spent = budget().spentOn("p", cluster.time().now());
    cluster.patchStatus(Kinds.POD_DISRUPTION_BUDGET, seen, spent.object().status());
    driver.settle();
    assertThat(counts()).isEqualTo("1 healthy of 2, 1 wanted, 0 may go: InsufficientPods");

    pass(driver, cluster, Duration.ofSeconds(121));
    assertThat(counts()).isEqualTo("2 healthy of 2, 1 wanted, 1 may go: SufficientPods");
    assertThat(budget().disrupted()).isEmpty();
  }

  @Test
  void whatNobodyCanCountDoesNotGo() {
    ApiObject job = cluster.create(Kinds.JOB, Worlds.job("j", spec -> spec));
    ApiObject pod = ApiObject.of(Kinds.POD, "default", "p").withLabel("app", "a").controlledBy(job);
    cluster.create(Kinds.POD, pod);
    addBudget("maxUnavailable: 1");

    assertThat(counts()).endsWith("0 may go: SyncFailed");
    assertThat(Worlds.reasons(cluster, "b")).containsOnly("CalculateExpectedPodCountFailed");
  }

  @Test
  void whatItsWriterMayNotHaveMeantIsSaid() {
    addBudget("maxUnavailable: 1");
    assertThat(Worlds.reasons(cluster, "b")).containsExactly("NoPods");

    addPod("p", "a", true);
    assertThat(counts()).isEqualTo("1 healthy of 0, 0 wanted, 0 may go: InsufficientPods");
    assertThat(Worlds.reasons(cluster, "b")).contains("UnmanagedPods");
  }

  @Test
  void podsOfAKindThatIsNotServedCannotBeCounted() {
    ApiObject owner =
        ApiObject.of(new ResourceKind("x.io", "v1", "Crew", "crews", true), "default", "c");
    ApiObject pod = ApiObject.of(Kinds.POD, "default", "p").withLabel("app", "a");
    cluster.create(Kinds.POD, pod.controlledBy(owner.withMetadata("uid", "u")));
    addBudget("minAvailable: 50%");

    assertThat(
            Condition.find(budget().object().status(), PodDisruptionBudget.ALLOWED)
                .orElseThrow()
                .text("message"))
        .isEqualTo("no matches for kind \"Crew\" in version \"x.io/v1\"");
  }
}
