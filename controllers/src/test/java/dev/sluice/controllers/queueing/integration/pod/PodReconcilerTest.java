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
import dev.sluice.runtime.Deletion;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
        .isEqualTo("WorkloadEvictedDueToPreempted");
    assertThat(world.workload().reserved()).as("while it ends").isTrue();

    world.die("p");
    world.run();

    assertThat(world.hasPod("p")).isFalse();
    assertThat(world.workload().status().reason(WorkloadStatus.FINISHED))
        .isEqualTo("OwnerNotFound");
  }

  /** A finalizer of another controller keeps the pod, but it never had a node. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void podThatCanNeverRunReleasesItsQuota(boolean gated) {
    world.createPod("p", pod -> pod.withFinalizer("example.com/wait"));
    world.run();
    if (!gated) {
      world.admit(world.workload());
      world.run();
      world.evict("Preempted");
    } else {
      world.cluster.delete(Kinds.POD, world.pod("p").object(), Deletion.BACKGROUND);
    }

    world.run();

    assertThat(world.pod("p").isDeleting()).isTrue();
    assertThat(world.workload().status().reason(WorkloadStatus.FINISHED))
        .isEqualTo("OwnerNotFound");
  }

  @Test
  void endedPodThatIsBeingDeletedFinishesItsWorkload() {
    start("p");
    world.cluster.delete(Kinds.POD, world.pod("p").object(), Deletion.BACKGROUND);
    world.phase("p", Pod.Phase.SUCCEEDED);

    world.run();

    assertThat(world.pod("p").isDeleting()).isTrue();
    assertThat(world.workload().status().reason(WorkloadStatus.FINISHED)).isEqualTo("Succeeded");
  }

  @Test
  void podBeyondItsGracePeriodReleasesItsQuota() {
    start("p");
    world.evict("Preempted");

    world.run(Duration.ofSeconds(20));
    assertThat(world.workload().finished()).isFalse();

    world.run(Duration.ofSeconds(20));
    assertThat(world.workload().finished()).isTrue();
  }

  /** Starts a pod with a finalizer of another controller. */
  private void start(String name) {
    world.createPod(name, pod -> pod.withFinalizer("example.com/wait"));
    world.run();
    world.admit(world.workload());
    world.run();
    world.bind(name);
  }

  @Test
  void foreignWorkloadWithTheNameOfTheGroupIsLeftAlone() {
    world.create(Workload.of("default", "g", "lq", List.of()).object());
    world.createMember("a", "g", 1);
    world.run();

    assertThat(world.workload().object().owners()).isEmpty();
    assertThat(world.events("a"))
        .containsExactly(
            "Warning WorkloadNameConflict: A Workload named \"g\" already exists but is not a pod"
                + " group workload; this pod group cannot be admitted");
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
