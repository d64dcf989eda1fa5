package dev.sluice.controllers.queueing.integration.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.queueing.WorkloadNames;
import dev.sluice.controllers.queueing.integration.QueuedWorld;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Single queued pods, and pods that are not queued. */
class PodReconcilerTest {
  private final QueuedWorld world = new QueuedWorld();

  @Test
  void singlePodIsUngatedOnTheNodesOfItsFlavor() {
    world.createPod("p", UnaryOperator.identity());
    world.run();
    assertThat(world.workload().podSets()).extracting(PodSet::name).containsExactly("main");
    assertThat(world.workload().object().name())
        .isEqualTo(WorkloadNames.of(Kinds.POD, world.pod("p").object()));

    world.admit(world.workload());
    world.run();

    assertThat(world.isGated("p")).isFalse();
    assertThat(world.pod("p").spec().nodeSelector()).isEqualTo(Map.of("type", "big"));
    assertThat(world.pod("p").object().label(KueueNames.CLUSTER_QUEUE)).isEqualTo("cq");
    assertThat(world.reasons("p")).containsExactly("CreatedWorkload", "Started");
  }

  @Test
  void podWithoutTheManagedLabelIsLeftAlone() {
    world.createPod("p", pod -> pod.withLabel(KueueNames.MANAGED, "no"));
    world.run();

    assertThat(world.workloads()).isEmpty();
  }

  @Test
  void endedPodLosesItsFinalizerAndFinishesItsWorkload() {
    world.createPod("p", UnaryOperator.identity());
    world.run();
    world.admit(world.workload());
    world.run();

    world.phase("p", Pod.Phase.SUCCEEDED);
    world.run();

    assertThat(world.workload().status().reason(WorkloadStatus.FINISHED)).isEqualTo("Succeeded");
    assertThat(world.pod("p").object().finalizers()).isEmpty();
  }

  @Test
  void evictedPodIsDeletedWithItsReasonAndNeverRequeued() {
    world.createPod("p", UnaryOperator.identity());
    world.run();
    world.admit(world.workload());
    world.run();
    world.bind("p");

    world.evict("Preempted");
    world.run();

    ApiObject pod = world.pod("p").object();
    assertThat(pod.isDeleting()).isTrue();
    assertThat(
            Condition.find(pod.status(), PodIntegration.TERMINATION_TARGET)
                .orElseThrow()
                .text("reason"))
        .isEqualTo("WorkloadEvicted");
    assertThat(world.workload().reserved()).as("while it ends").isTrue();

    world.die("p");
    world.run();

    assertThat(world.hasPod("p")).isFalse();
    assertThat(world.workload().status().reason(WorkloadStatus.FINISHED))
        .isEqualTo("OwnerNotFound");
  }

  @Test
  void foreignWorkloadWithTheNameOfTheGroupIsLeftAlone() {
    world.create(Workload.of("default", "g", "lq", List.of()).object());
    world.createMember("a", "g", 1);
    world.run();

    assertThat(world.workload().object().owners()).isEmpty();
    assertThat(world.reasons("a")).containsExactly("WorkloadNameConflict");
  }

  @Test
  void disagreeingPodsAreNotQueued() {
    world.createMember("a", "g", 2);
    world.createMember("b", "g", 3);
    world.run();

    assertThat(world.workloads()).isEmpty();
    assertThat(world.reasons("a")).containsExactly("ErrWorkloadCompose");
  }
}
