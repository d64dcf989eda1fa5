package dev.sluice.controllers.queueing.integration.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.queueing.RoleHash;
import dev.sluice.controllers.queueing.integration.QueuedWorld;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Deletion;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Pod groups: their pods start, stop and end together. */
class PodGroupsTest {
  private final QueuedWorld world = new QueuedWorld();

  @Test
  void groupIsQueuedOnceAllItsPodsExist() {
    world.createMember("a", "g", 3);
    world.createPod("b", QueuedWorld.requesting("g", 3, 2));
    world.run();
    assertThat(world.workloads()).isEmpty();
    assertThat(world.reasons("a")).containsExactly("ErrWorkloadCompose");

    world.createMember("c", "g", 3);
    world.run();

    Workload workload = world.workload();
    assertThat(workload.object().name()).isEqualTo("g");
    assertThat(workload.object().annotation(KueueNames.IS_GROUP_WORKLOAD)).isEqualTo("true");
    assertThat(workload.object().owners()).hasSize(3).noneMatch(owner -> owner.controller());
    String small = RoleHash.of(world.pod("a").object());
    assertThat(workload.podSets()).extracting(PodSet::name).isSorted().hasSize(2).contains(small);
    assertThat(workload.podSets()).extracting(PodSet::count).containsExactlyInAnyOrder(2, 1);
  }

  @Test
  void admittedGroupRunsAndFinishesTogether() {
    world.startGroup();
    assertThat(world.isGated("a")).isFalse();
    assertThat(world.isGated("b")).isFalse();

    world.phase("a", Pod.Phase.SUCCEEDED);
    world.run();
    String role = world.workload().podSets().getFirst().name();
    assertThat(world.workload().status().reclaimablePods()).isEqualTo(Map.of(role, 1));
    assertThat(world.pod("a").object().hasFinalizer(KueueNames.MANAGED_FINALIZER)).isTrue();

    world.phase("b", Pod.Phase.SUCCEEDED);
    world.run();
    assertThat(world.workload().status().reason(WorkloadStatus.FINISHED)).isEqualTo("Succeeded");
    assertThat(world.pod("a").object().finalizers()).isEmpty();
  }

  @Test
  void failedPodIsReplacedByAnotherOfItsRole() {
    world.startGroup();
    world.phase("a", Pod.Phase.FAILED);
    world.run();
    WorkloadStatus waiting = world.workload().status();
    assertThat(waiting.holds(WorkloadStatus.WAITING_FOR_REPLACEMENT_PODS)).isTrue();
    assertThat(waiting.reason(WorkloadStatus.WAITING_FOR_REPLACEMENT_PODS)).isEqualTo("PodsFailed");
    assertThat(waiting.message(WorkloadStatus.WAITING_FOR_REPLACEMENT_PODS))
        .isEqualTo("Some Failed pods need replacement");

    world.createMember("c", "g", 2);
    world.run();

    assertThat(world.isGated("c")).isFalse();
    assertThat(world.pod("a").object().finalizers()).isEmpty();
    assertThat(world.workload().object().isOwnedBy(world.pod("c").object())).isTrue();
    assertThat(world.workload().status().reason(WorkloadStatus.WAITING_FOR_REPLACEMENT_PODS))
        .isEqualTo("PodsReady");
  }

  @Test
  void replacementIsGatedUntilTheOldPodIsGone() {
    world.startGroup();
    world.bind("a");
    world.cluster.delete(Kinds.POD, world.pod("a").object(), Deletion.BACKGROUND);
    world.createMember("c", "g", 2);
    world.run();
    assertThat(world.isGated("c")).isTrue();

    world.die("a");
    world.run();

    assertThat(world.isGated("c")).isFalse();
    assertThat(world.hasPod("a")).isFalse();
  }

  @Test
  void evictedGroupReleasesItsQuotaAndWaitsForNewPods() {
    world.startGroup();
    world.bind("a");
    world.bind("b");

    world.evict("Preempted");
    world.run();
    assertThat(world.workload().reserved()).isTrue();
    world.die("a");
    world.die("b");
    world.run();

    WorkloadStatus status = world.workload().status();
    assertThat(status.denies(WorkloadStatus.QUOTA_RESERVED)).isTrue();
    assertThat(status.holds(WorkloadStatus.REQUEUED)).isTrue();
    assertThat(status.reason(WorkloadStatus.WAITING_FOR_REPLACEMENT_PODS)).isEqualTo("Preempted");

    world.createMember("c", "g", 2);
    world.createMember("d", "g", 2);
    world.run();

    assertThat(world.workload().status().denies(WorkloadStatus.WAITING_FOR_REPLACEMENT_PODS))
        .isTrue();
    assertThat(world.hasPod("a") || world.hasPod("b")).as("the old ones").isFalse();
  }

  /** They may be bound at any time. */
  @Test
  void unboundPodsAreStoppedToo() {
    world.startGroup();
    assertThat(world.pod("a").phase()).isEqualTo(Pod.Phase.PENDING);

    world.evict("Preempted");
    world.run();

    assertThat(world.workload().reserved()).isFalse();
    assertThat(Worlds.pods(world.cluster)).noneMatch(Pod::isActive);
    assertThat(world.reasons("a")).contains("Stopped");
  }

  @Test
  void podBeyondItsGracePeriodUsesNoQuota() {
    world.startGroup();
    world.bind("a");
    world.bind("b");
    world.evict("Preempted");

    world.run(Duration.ofSeconds(20));
    assertThat(world.workload().reserved()).isTrue();

    world.run(Duration.ofSeconds(20));
    assertThat(world.workload().reserved()).isFalse();
  }

  @Test
  void newestExcessPodIsDeleted() {
    world.startGroup();

    world.createMember("0c", "g", 2);
    world.run();

    assertThat(world.hasPod("0c")).isFalse();
    assertThat(world.hasPod("a") && world.hasPod("b")).isTrue();
    assertThat(world.reasons("0c")).contains("ExcessPodDeleted");
  }

  @Test
  void failureIsFinalWithTheAnnotation() {
    world.createMember("a", "g", 2);
    world.createPod(
        "b",
        pod ->
            QueuedWorld.member(pod, "g", 2).withAnnotation(KueueNames.RETRIABLE_IN_GROUP, "false"));
    world.run();
    world.admit(world.workload());
    world.run();

    world.phase("a", Pod.Phase.SUCCEEDED);
    world.phase("b", Pod.Phase.FAILED);
    world.run();

    WorkloadStatus status = world.workload().status();
    assertThat(status.reason(WorkloadStatus.FINISHED)).isEqualTo("Failed");
    assertThat(status.message(WorkloadStatus.FINISHED)).isEqualTo("Pods succeeded: 1/2.");
  }

  @Test
  void fastGroupIsAdmittedBeforeItsPodsExist() {
    UnaryOperator<ApiObject> fast =
        pod ->
            QueuedWorld.member(pod, "g", 2)
                .withAnnotation(KueueNames.POD_GROUP_FAST_ADMISSION, "true");
    world.createPod("a", fast);
    world.run();
    assertThat(world.workload().podSets()).extracting(PodSet::count).containsExactly(2);
    world.admit(world.workload());
    world.run();
    assertThat(world.isGated("a")).isFalse();

    world.createPod("b", pod -> fast.apply(QueuedWorld.requesting("g", 2, 0).apply(pod)));
    world.run();

    assertThat(world.isGated("b")).isFalse();
    assertThat(world.workload().status().holds(WorkloadStatus.WAITING_FOR_REPLACEMENT_PODS))
        .isFalse();
  }

  /** Its missing pods are no reason to wait, but without any pod nothing would use the quota. */
  @Test
  void evictedFastGroupWaitsForAReplacementPod() {
    UnaryOperator<ApiObject> fast =
        pod ->
            QueuedWorld.member(pod, "g", 2)
                .withAnnotation(KueueNames.POD_GROUP_FAST_ADMISSION, "true");
    world.createPod("a", fast);
    world.run();
    world.admit(world.workload());
    world.run();

    world.evict("PodsReadyTimeout");
    world.run();
    WorkloadStatus evicted = world.workload().status();
    assertThat(evicted.holds(WorkloadStatus.QUOTA_RESERVED)).isFalse();
    assertThat(evicted.holds(WorkloadStatus.FINISHED)).isFalse();
    assertThat(evicted.holds(WorkloadStatus.WAITING_FOR_REPLACEMENT_PODS)).isTrue();

    world.createPod("b", fast);
    world.run();
    assertThat(world.workload().status().denies(WorkloadStatus.WAITING_FOR_REPLACEMENT_PODS))
        .isTrue();
  }

  /** A pod that was stopped is replaced; only a client deletes a whole group. */
  @Test
  void groupThatIsAdmittedWhileItsPodTerminatesStaysUnfinished() {
    world.createMember("a", "g", 1);
    world.run();
    world.admit(world.workload());
    world.run();
    world.evict("Preempted");
    world.run();
    assertThat(world.workload().reserved()).isFalse();

    world.admit(world.workload());
    world.run();
    assertThat(world.hasPod("a")).isTrue();
    assertThat(world.workload().finished()).isFalse();

    world.createMember("b", "g", 1);
    world.run();
    assertThat(world.hasPod("a")).isFalse();
    assertThat(world.isGated("b")).isFalse();
  }

  @Test
  void servingGroupNeverFinishesAndHasNoReclaimablePods() {
    UnaryOperator<ApiObject> serving =
        pod -> QueuedWorld.member(pod, "g", 1).withAnnotation(KueueNames.POD_GROUP_SERVING, "true");
    world.createPod("a", serving);
    world.run();
    world.admit(world.workload());
    world.run();

    world.phase("a", Pod.Phase.SUCCEEDED);
    world.run();

    assertThat(world.workload().finished()).isFalse();
    assertThat(world.workload().status().reclaimablePods()).isEmpty();
  }

  @Test
  void deletedWorkloadDeletesItsPods() {
    world.startGroup();
    world.bind("a");

    world.cluster.delete(Kinds.WORKLOAD, world.workload().object(), Deletion.BACKGROUND);
    world.run();
    assertThat(world.workloads()).as("while a pod runs").hasSize(1);
    world.die("a");
    world.run();

    assertThat(world.cluster.list(Kinds.POD)).isEmpty();
    assertThat(world.workloads()).isEmpty();
  }

  @Test
  void deletedGroupLosesItsFinalizers() {
    world.startGroup();
    List.of("a", "b")
        .forEach(
            pod -> world.cluster.delete(Kinds.POD, world.pod(pod).object(), Deletion.BACKGROUND));
    world.run();

    assertThat(world.cluster.list(Kinds.POD)).isEmpty();
    assertThat(world.workload().status().reason(WorkloadStatus.FINISHED))
        .isEqualTo("OwnerNotFound");
  }
}
