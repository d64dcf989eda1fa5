package dev.sluice.controllers.queueing.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.rules.Settings;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Deletion;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A group of pods uses no more than its quota, and releases all of it. */
class GroupQuotaTest {
  private final QueuedWorld world = new QueuedWorld();

  /** Otherwise a small pod could get quota for later, larger ones. */
  @Test
  void largerPodThanAdmittedStaysGated() {
    UnaryOperator<ApiObject> fast =
        pod -> pod.withAnnotation(KueueNames.POD_GROUP_FAST_ADMISSION, "true");
    world.createPod("a", pod -> fast.apply(QueuedWorld.member(pod, "g", 2)));
    world.run();
    world.admit(world.workload());
    world.createPod("large", pod -> fast.apply(QueuedWorld.requesting("g", 2, 7).apply(pod)));
    world.run();

    assertThat(world.isGated("a")).isFalse();
    assertThat(world.isGated("large")).isTrue();
    assertThat(world.reasons("large")).contains("ErrWorkloadCompose");

    world.cluster.delete(Kinds.POD, world.pod("large").object(), Deletion.BACKGROUND);
    world.run();
    assertThat(world.hasPod("large")).as("no finalizer keeps it").isFalse();
  }

  /** The role in an annotation does not imply the requests of the pod. */
  @Test
  void largerPodWithTheRoleOfASmallOneStaysGated() {
    world.startGroup();
    world.phase("b", Pod.Phase.FAILED);
    String role = world.workload().podSets().getFirst().name();

    world.createPod(
        "large",
        pod ->
            QueuedWorld.requesting("g", 2, 7)
                .apply(pod)
                .withAnnotation(KueueNames.ROLE_HASH, role));
    world.run();

    assertThat(world.isGated("large")).isTrue();
    assertThat(world.workload().status().holds(WorkloadStatus.WAITING_FOR_REPLACEMENT_PODS))
        .isTrue();
  }

  /** Ended pods are kept only to be replaced; here they will not be. */
  @Test
  void deactivatedGroupIsDeletedAfterItsRetention() {
    world.configuration =
        Settings.keeping(
            new Configuration.Retention(Optional.empty(), Optional.of(Duration.ofMinutes(1))));
    world.startGroup();
    world.bind("a");
    world.bind("b");
    world.giveUp();
    world.run();
    world.die("a");
    world.die("b");
    world.run(Duration.ofSeconds(30));
    assertThat(world.cluster.list(Kinds.POD)).hasSize(2);

    world.run(Duration.ofSeconds(40));

    assertThat(world.cluster.list(Kinds.POD)).isEmpty();
    assertThat(world.workload().status().reason(WorkloadStatus.FINISHED))
        .isEqualTo("OwnerNotFound");
    assertThat(world.workload().object().finalizers()).isEmpty();
  }

  @Test
  void podsOfAnUnselectedNamespaceCanBeDeleted() {
    world.startGroup();
    world.configuration = Settings.selecting(Tree.of("matchLabels", Map.of("queued", "yes")));

    world.cluster.delete(Kinds.POD, world.pod("a").object(), Deletion.BACKGROUND);
    world.run();

    assertThat(world.hasPod("a")).isFalse();
    assertThat(world.hasPod("b")).isTrue();
  }

  /**
   * Otherwise the group would run without quota, in parallel with the next workload that gets it.
   */
  @Test
  void groupWithAConflictDoesNotStartPartially() {
    world.createMember("a", "g", 2);
    world.createPod("b", pod -> conflicting(QueuedWorld.requesting("g", 2, 2).apply(pod)));
    world.run();
    world.admit(world.workload());
    world.run();

    assertThat(world.workload().status().reason(WorkloadStatus.FINISHED))
        .isEqualTo("FailedToStart");
    assertThat(world.isGated("a")).isTrue();
  }

  @Test
  void groupWithAConflictingReplacementStopsBeforeItsQuotaIsReleased() {
    world.startGroup();
    world.bind("a");
    world.phase("b", Pod.Phase.FAILED);
    world.createPod("c", pod -> conflicting(QueuedWorld.member(pod, "g", 2)));
    world.run();

    assertThat(world.pod("a").isDeleting()).isTrue();
    assertThat(world.workload().finished()).as("while it ends").isFalse();

    world.die("a");
    world.run();
    assertThat(world.workload().status().reason(WorkloadStatus.FINISHED))
        .isEqualTo("FailedToStart");
  }

  /** A pod with a label that the start would have to overwrite. */
  private static ApiObject conflicting(ApiObject pod) {
    return pod.withLabel(KueueNames.CLUSTER_QUEUE, "another");
  }

  @Test
  void groupWithALoweredTotalIsNotFinishedWhileItsPodsRun() {
    world.startGroup();
    world.bind("a");
    world.bind("b");
    world.cluster.update(
        Kinds.POD, world.pod("a").object().withAnnotation(KueueNames.POD_GROUP_TOTAL, "1"));
    world.phase("a", Pod.Phase.SUCCEEDED);
    world.run();

    assertThat(world.workload().finished()).isFalse();

    world.phase("b", Pod.Phase.SUCCEEDED);
    world.run();
    assertThat(world.workload().finished()).isTrue();
  }

  /** A user who may change a pod can remove its gate, but not run it without quota. */
  @Test
  void ungatedPodWithoutQuotaIsDeleted() {
    world.startGroup();
    world.createPod("stranger", QueuedWorld.requesting("g", 2, 7));
    world.run();
    assertThat(world.isGated("stranger")).isTrue();

    world.cluster.update(
        Kinds.POD, world.pod("stranger").object().without(List.of("spec", "schedulingGates")));
    world.run();

    assertThat(world.hasPod("stranger") && !world.pod("stranger").isDeleting()).isFalse();
    assertThat(world.isGated("a")).isFalse();
    assertThat(world.pod("a").isDeleting()).isFalse();
  }
}
