package dev.sluice.controllers.queueing.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.kueue.CheckState;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Deletion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A Job that scales up and down while it runs. */
class WorkloadSlicesTest {
  private final QueuedWorld world = new QueuedWorld();

  @BeforeEach
  void startWithThree() {
    world.started(QueuedWorld::elastic);
  }

  private void resize(int parallelism) {
    world.cluster.update(
        Kinds.JOB, world.job("j").object().with(List.of("spec", "parallelism"), parallelism));
    world.run();
  }

  private List<Workload> open() {
    return world.workloads().stream().filter(slice -> !slice.finished()).toList();
  }

  private Workload first() {
    return open().stream()
        .filter(one -> one.object().annotation(KueueNames.SLICE_REPLACEMENT_FOR).isEmpty())
        .findFirst()
        .orElseThrow();
  }

  private Workload second() {
    return open().stream()
        .filter(one -> !one.object().annotation(KueueNames.SLICE_REPLACEMENT_FOR).isEmpty())
        .findFirst()
        .orElseThrow();
  }

  private static int count(Workload slice) {
    return slice.podSets().getFirst().count();
  }

  @Test
  void firstSliceNamesItsChainAndItsPodsAreGated() {
    ApiObject slice = world.workload().object();

    assertThat(slice.annotation(KueueNames.SLICE_NAME)).isEqualTo(slice.name());
    assertThat(world.job("j").isSuspended()).isFalse();
    assertThat(world.job("j").podSpec().hasSchedulingGate(KueueNames.ELASTIC_JOB_GATE)).isTrue();
    assertThat(world.job("j").template().text("metadata", "annotations", KueueNames.SLICE_NAME))
        .isEqualTo(slice.name());
  }

  @Test
  void scaledDownJobUpdatesItsSliceInPlace() {
    String uid = world.workload().object().uid();

    resize(2);

    assertThat(world.workload().object().uid()).isEqualTo(uid);
    assertThat(count(world.workload())).isEqualTo(2);
    assertThat(world.job("j").isSuspended()).isFalse();
  }

  @Test
  void scaledUpJobRunsOnItsOldSliceUntilTheNewOneIsAdmitted() {
    resize(5);

    Workload old = first();
    assertThat(open()).hasSize(2);
    assertThat(count(old)).isEqualTo(3);
    assertThat(count(second())).isEqualTo(5);
    assertThat(second().object().annotation(KueueNames.SLICE_REPLACEMENT_FOR))
        .isEqualTo(old.object().path());
    assertThat(second().object().annotation(KueueNames.SLICE_NAME)).isEqualTo(old.object().name());
    assertThat(world.job("j").isSuspended()).isFalse();

    world.admit(second());
    world.run();

    assertThat(open()).hasSize(1);
    Workload replaced =
        world.workloads().stream().filter(Workload::finished).findFirst().orElseThrow();
    assertThat(replaced.status().reason(WorkloadStatus.FINISHED))
        .isEqualTo("WorkloadSliceReplaced");
    assertThat(world.reasons(replaced.object().name())).contains("WorkloadSliceReplaced");
    assertThat(world.job("j").isSuspended()).isFalse();
  }

  /** Its earlier slices are finished, which must not count as the end of the job. */
  @Test
  void scaledUpJobIsQueuedAgainWhenItsSliceIsDeleted() {
    resize(5);
    world.admit(second());
    world.run();
    Workload grown = open().getFirst();

    world.cluster.delete(Kinds.WORKLOAD, grown.object(), Deletion.BACKGROUND);
    world.run();

    assertThat(world.job("j").isSuspended()).isTrue();
    assertThat(open()).hasSize(1);
    Workload next = open().getFirst();
    assertThat(next.object().uid()).isNotEqualTo(grown.object().uid());
    assertThat(next.reserved()).isFalse();
    assertThat(count(next)).isEqualTo(5);
    assertThat(next.object().annotation(KueueNames.SLICE_NAME)).isEqualTo(next.object().name());
  }

  @Test
  void scaledUpJobIsQueuedAgainWhenItReturnsToItsQueue() {
    resize(5);
    world.admit(second());
    world.run();
    Workload slice = open().getFirst();
    world.setStatus(
        slice, WorkloadTransitions.evict(slice.status(), "Preempted", "Go", "", world.now()));
    world.run();

    world.updateJob(job -> job.withoutMetadata("labels"));
    world.run();
    assertThat(open()).isEmpty();
    world.updateJob(job -> job.withLabel(KueueNames.QUEUE_NAME, "lq"));
    world.run();

    assertThat(open()).hasSize(1);
    assertThat(open().getFirst().reserved()).isFalse();
  }

  @Test
  void finishedJobIsNotQueuedAgain() {
    resize(5);
    Workload grown = second();
    world.admit(grown);
    world.run();
    world.setJobStatus(
        "j", status -> new Condition("Complete", true, "R", "m").in(status, world.now()));
    world.run();

    ApiObject ended = world.cluster.require(grown.object().key(Kinds.WORKLOAD));
    world.cluster.delete(Kinds.WORKLOAD, ended, Deletion.BACKGROUND);
    world.run();

    assertThat(world.workload().finished()).isTrue();
  }

  /** A stopped job must be able to start with other flavors, however often it was scaled. */
  @Test
  void stoppedJobIsRestoredAfterScalingUp() {
    resize(5);
    assertThat(second().podSets().getFirst().template().spec().nodeSelector()).isEmpty();
    world.admit(second());
    world.run();
    Workload slice = open().getFirst();
    world.setStatus(
        slice, WorkloadTransitions.evict(slice.status(), "Preempted", "Go", "", world.now()));
    world.run();

    assertThat(world.job("j").isSuspended()).isTrue();
    assertThat(world.job("j").parallelism()).isEqualTo(5);
    assertThat(world.job("j").podSpec().nodeSelector()).isEmpty();
    assertThat(world.job("j").podSpec().hasSchedulingGate(KueueNames.ELASTIC_JOB_GATE)).isFalse();
    assertThat(world.job("j").template().texts("metadata", "annotations")).isEmpty();
  }

  @Test
  void scalingDoesNotResetTheExecutionTime() {
    world.updateJob(job -> job.withLabel(KueueNames.MAX_EXEC_TIME, "600"));
    resize(5);
    Instant began = first().status().since(WorkloadStatus.ADMITTED).orElseThrow();
    world.run(Duration.ofSeconds(100));

    world.admit(second());
    world.run();

    WorkloadStatus status = open().getFirst().status();
    Instant replaced = status.since(WorkloadStatus.ADMITTED).orElseThrow();
    assertThat(status.accumulatedExecutionTime())
        .isGreaterThanOrEqualTo(Duration.ofSeconds(100))
        .isEqualTo(Duration.between(began, replaced));
  }

  /** Two pods are left to run, of three that are admitted and of five that are wanted. */
  @Test
  void endedPodsAreCountedPerSlice() {
    world.setJobStatus("j", status -> status.with("succeeded", 97));
    world.run();
    assertThat(first().status().reclaimablePods()).isEqualTo(Map.of("main", 1));

    resize(5);
    assertThat(first().status().reclaimablePods()).isEqualTo(Map.of("main", 1));

    resize(2);
    assertThat(world.workload().status().reclaimablePods()).isEmpty();
  }

  /**
   * Of three pods one has ended and two are left to run; two are wanted. Until it is counted anew,
   * the ended pod must not be taken for one of those two: their quota would be given away.
   */
  @Test
  void scaledDownSliceSaysToWhichSizeItsReclaimablePodsBelong() {
    world.setJobStatus("j", status -> status.with("succeeded", 97));
    world.run();
    var seen = new ArrayList<String>();
    world.cluster.watch(
        Kinds.WORKLOAD,
        event -> {
          var slice = new Workload(event.object());
          seen.add(
              count(slice)
                  + " pods, reclaimable "
                  + slice.status().reclaimablePods()
                  + " of "
                  + slice.object().annotation(KueueNames.RECLAIMABLE_OF));
        });

    resize(2);

    assertThat(seen.stream().distinct())
        .containsSubsequence(
            "2 pods, reclaimable {main=1} of 3",
            "2 pods, reclaimable {} of 3",
            "2 pods, reclaimable {} of ");
  }

  @Test
  void pendingSliceFollowsTheJob() {
    resize(5);
    resize(7);
    assertThat(count(second())).isEqualTo(7);

    resize(2);

    assertThat(count(world.workload())).isEqualTo(2);
  }

  @Test
  void evictedJobLosesItsPendingSlice() {
    resize(5);
    Workload old = first();
    world.setStatus(
        old, WorkloadTransitions.evict(old.status(), "Preempted", "Go", "", world.now()));
    world.run();

    assertThat(world.job("j").isSuspended()).isTrue();
    assertThat(world.workload().object().uid()).isEqualTo(old.object().uid());
    assertThat(world.workload().reserved()).isFalse();
    assertThat(count(world.workload())).isEqualTo(5);
    assertThat(world.job("j").parallelism()).isEqualTo(5);
  }

  @Test
  void newSliceEvictedBeforeItsChecksReleasesItsQuotaAtOnce() {
    resize(5);
    Workload old = first();
    world.reserve(second(), Map.of());
    CheckState pending = CheckState.pending("c", world.now());
    world.setStatus(second(), second().status().withAdmissionChecks(List.of(pending)));
    world.setStatus(
        second(),
        WorkloadTransitions.preempt(second().status(), "InClusterQueue", "Go", world.now()));
    world.run();

    assertThat(second().reserved()).isFalse();
    assertThat(second().status().holds(WorkloadStatus.REQUEUED)).isTrue();
    assertThat(first()).isEqualTo(old);
    assertThat(world.job("j").isSuspended()).isFalse();
  }

  @Test
  void stoppedJobLosesTheGateAndTheNameOfItsChain() {
    Workload slice = world.workload();
    world.setStatus(
        slice, WorkloadTransitions.evict(slice.status(), "Preempted", "Go", "", world.now()));
    world.run();

    assertThat(world.job("j").isSuspended()).isTrue();
    assertThat(world.job("j").podSpec().hasSchedulingGate(KueueNames.ELASTIC_JOB_GATE)).isFalse();
    assertThat(world.job("j").template().texts("metadata", "annotations")).isEmpty();
  }

  @Test
  void finishedJobFinishesAllSlices() {
    resize(5);

    world.setJobStatus(
        "j", status -> new Condition("Complete", true, "R", "m").in(status, world.now()));
    world.run();

    assertThat(open()).isEmpty();
  }

  @Test
  void changeOfMoreThanTheSizeStartsANewChain() {
    String uid = world.workload().object().uid();
    ApiObject job = world.job("j").object();
    world.cluster.update(
        Kinds.JOB,
        job.with(
            List.of("spec", "template", "spec", "containers"), List.of(Tree.of("name", "other"))));
    world.run();

    assertThat(world.workload().object().uid()).isNotEqualTo(uid);
    assertThat(world.job("j").isSuspended()).isTrue();
  }

  @Test
  void ungatedPodsAreLimitedByTheAdmittedSlice() {
    String chain = world.workload().object().name();
    resize(5);
    for (int i = 0; i < 5; i++) {
      world.cluster.create(
          Kinds.POD, world.job("j").pod("p" + i, "p").withAnnotation(KueueNames.SLICE_NAME, chain));
    }
    world.run();
    assertThat(ungated()).isEqualTo(3);

    world.admit(second());
    world.run();
    assertThat(ungated()).isEqualTo(5);
  }

  private long ungated() {
    return world.cluster.list(Kinds.POD).stream()
        .map(Pod::new)
        .filter(pod -> !pod.spec().hasSchedulingGates())
        .count();
  }
}
