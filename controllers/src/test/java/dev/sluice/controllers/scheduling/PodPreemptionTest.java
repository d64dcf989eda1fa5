package dev.sluice.controllers.scheduling;

import static dev.sluice.testkit.Worlds.reasons;
import static dev.sluice.testkit.Worlds.setPhase;
import static dev.sluice.testkit.Worlds.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.core.pod.PodStatus;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Deletion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The more important pod goes first, and others may have to leave for it. */
@Timeout(30)
class PodPreemptionTest {
  private final SchedulerScene scene = new SchedulerScene();

  @AfterEach
  void stop() {
    scene.close();
  }

  @Test
  void aMoreImportantPodPushesTheLeastImportantOnesAway() {
    scene.addNode("a", 4);
    scene.addPod("low", 2, Tree.of("priority", 1));
    scene.addPod("middle", 2, Tree.of("priority", 5));
    scene.settle();
    scene.addPod("high", 2, Tree.of("priority", 10));
    scene.settle();

    Pod low = scene.pod("low");
    assertThat(low.isDeleting()).isTrue();
    assertThat(low.status().reason(PodStatus.DISRUPTION_TARGET)).isEqualTo("PreemptionByScheduler");
    assertThat(low.status().message(PodStatus.DISRUPTION_TARGET))
        .isEqualTo("default-scheduler: preempting to accommodate a higher priority pod");
    assertThat(scene.pod("middle").isDeleting()).isFalse();
    assertThat(scene.pod("high").status().nominatedNodeName()).isEqualTo("a");
    assertThat(scene.pod("high").status().message(PodStatus.POD_SCHEDULED))
        .isEqualTo("0/1 nodes are available: 1 Insufficient cpu.");

    scene.addPod("late", 2, Tree.of("priority", 9));
    scene.cluster.delete(Kinds.POD, scene.pod("low").object(), Deletion.NOW);
    scene.settle();

    assertThat(scene.pod("high").nodeName()).isEqualTo("a");
    assertThat(scene.pod("late").isBound()).isFalse();
    assertThat(reasons(scene.cluster, "low")).containsExactly("Preempted", "Scheduled");
  }

  @Test
  void preemptorOfAProtectedPodReportsTheRefusal() {
    scene.addNode("a", 2);
    scene.addPod("low", 2);
    scene.settle();
    scene.cluster.refuseDeletions(Kinds.POD);
    scene.addPod("high", 2, Tree.of("priority", 10));
    scene.pass(60);

    PodStatus told = scene.pod("high").status();
    assertThat(told.reason(PodStatus.POD_SCHEDULED)).isEqualTo("Unschedulable");
    assertThat(told.message(PodStatus.POD_SCHEDULED))
        .isEqualTo(
            "0/1 nodes are available: 1 Insufficient cpu. preemption: pods \"low\" is forbidden:"
                + " it cannot be deleted");
    assertThat(told.nominatedNodeName()).as("as soon as it may").isEqualTo("a");
    assertThat(reasons(scene.cluster, "high"))
        .as("told once, though tried often")
        .containsExactly("FailedScheduling", "FailedScheduling");

    scene.cluster.refuseDeletions();
    scene.pass(60);

    assertThat(scene.pod("low").isDeleting()).isTrue();
    scene.cluster.delete(Kinds.POD, scene.pod("low").object(), Deletion.NOW);
    scene.settle();
    assertThat(scene.pod("high").nodeName()).isEqualTo("a");
  }

  @Test
  void aPodThatDoesNotPreemptWaits() {
    scene.addNode("a", 2);
    scene.addPod("low", 2);
    scene.settle();
    scene.addPod("high", 2, Tree.of("priority", 10, "preemptionPolicy", "Never"));
    scene.settle();

    assertThat(scene.pod("low").isDeleting()).isFalse();
    assertThat(scene.pod("high").status().message(PodStatus.POD_SCHEDULED))
        .isEqualTo(
            "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption:"
                + " not eligible due to preemptionPolicy=Never.");
  }

  @Test
  void aBudgetDecidesWhoLeaves() {
    scene.addNode("a", 2);
    scene.addNode("b", 2);
    scene.addPod("guarded", 2);
    scene.addPod("free", 2);
    scene.settle();
    ApiObject guarded = scene.pod("guarded").object();
    scene.cluster.update(Kinds.POD, guarded.withLabel("app", "db"));
    var budgets =
        new ResourceKind("policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets", true);
    scene.cluster.create(
        budgets,
        yaml(
            """
            apiVersion: policy/v1
            kind: PodDisruptionBudget
            metadata: {name: db, namespace: default}
            spec: {minAvailable: 1, selector: {matchLabels: {app: db}}}
            """));
    scene.addPod("high", 2, Tree.of("priority", 10));
    scene.settle();

    assertThat(scene.pod("guarded").isDeleting()).isFalse();
    assertThat(scene.pod("free").isDeleting()).isTrue();
  }

  @Test
  void roomThatIsFreedGoesToTheMostImportantPodThatFits() {
    scene.addNode("a", 2);
    scene.addPod("first", 2);
    scene.settle();
    scene.addPod("big", 3, Tree.of("priority", 100));
    scene.addPod("small", 2);
    scene.addPod("important", 2, Tree.of("priority", 10));
    scene.settle();
    setPhase(scene.cluster, scene.pod("first"), Pod.Phase.SUCCEEDED);
    scene.settle();

    assertThat(scene.pod("important").isBound()).isTrue();
    assertThat(scene.pod("small").isBound()).isFalse();
    assertThat(scene.pod("big").isBound()).isFalse();

    scene.cluster.delete(Kinds.POD, scene.pod("important").object(), Deletion.NOW);
    scene.settle();

    assertThat(scene.pod("small").isBound()).isTrue();
  }
}
