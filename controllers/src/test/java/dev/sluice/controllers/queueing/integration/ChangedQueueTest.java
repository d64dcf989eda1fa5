package dev.sluice.controllers.queueing.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.batch.Job;
import dev.sluice.model.kueue.CheckState;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Deletion;
import dev.sluice.testkit.Stopped;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs that move to another queue while they have quota in the previous one. */
class ChangedQueueTest {
  private static final String LEFT = "The job left LocalQueue lq";

  private final QueuedWorld world = new QueuedWorld();

  @BeforeEach
  void aJobHoldsQuotaAndWaitsForItsChecks() {
    world.createJob("j", UnaryOperator.identity());
    world.run();
    world.setStatus(
        world.workload(),
        world
            .workload()
            .status()
            .withAdmissionChecks(
                List.of(
                    CheckState.pending("slow", world.now()),
                    CheckState.pending("quick", world.now()).in("Ready", "", world.now()))));
    world.reserve(world.workload(), Map.of());
    world.run();
  }

  private static ApiObject toOtherQueue(ApiObject job) {
    return job.withLabel(KueueNames.QUEUE_NAME, "other");
  }

  @Test
  void movedJobReleasesItsQuotaAndIsPendingInTheNewQueue() {
    String uid = world.workload().object().uid();

    world.updateJob(ChangedQueueTest::toOtherQueue);
    world.run();

    assertThat(world.workload().object().uid()).as("the same workload").isEqualTo(uid);
    assertThat(world.workload().queueName()).isEqualTo("other");
    assertThat(world.workload().admission()).isEmpty();
    WorkloadStatus status = world.workload().status();
    assertThat(status.denies(WorkloadStatus.QUOTA_RESERVED)).isTrue();
    assertThat(status.reason(WorkloadStatus.QUOTA_RESERVED)).isEqualTo("Pending");
    assertThat(status.message(WorkloadStatus.QUOTA_RESERVED)).isEqualTo(LEFT);
    assertThat(world.job("j").isSuspended()).isTrue();
  }

  @Test
  void movedJobHasItsChecksReset() {
    world.updateJob(ChangedQueueTest::toOtherQueue);
    world.run();

    assertThat(world.workload().status().admissionChecks())
        .extracting(CheckState::name, CheckState::state, CheckState::message)
        .containsExactly(
            tuple("slow", "Pending", ""),
            tuple(
                "quick", "Pending", "Reset to Pending after a change of queue. Previously: Ready"));
  }

  /** The reservation comes between two reconciliations of the job, in either order. */
  @Test
  void quotaReservedAgainInTheOldQueueIsReleasedToo() {
    world.updateJob(ChangedQueueTest::toOtherQueue);
    world.cluster.stopAfterWrites(1);
    try {
      world.run();
    } catch (Stopped stopped) {
      // Between the release and the move.
    }
    world.cluster.neverStop();
    assertThat(world.workload().reserved()).isFalse();
    assertThat(world.workload().queueName()).isEqualTo("lq");
    world.reserve(world.workload(), Map.of());

    world.run();

    assertThat(world.workload().queueName()).isEqualTo("other");
    assertThat(world.workload().reserved()).isFalse();
  }

  /** As when a user suspends a running Job and moves it in one write. */
  @Test
  void stoppedJobKeepsItsQuotaUntilItsPodsAreGone() {
    world.admit(world.workload());
    world.run();
    assertThat(world.job("j").isSuspended()).isFalse();
    world.setJobStatus("j", status -> status.with("active", 1).with("ready", 1));
    world.run();
    assertThat(world.workload().status().holds(WorkloadStatus.PODS_READY)).isTrue();

    world.updateJob(job -> new Job(toOtherQueue(job)).withSuspend(true).object());
    world.run();
    assertThat(world.workload().reserved()).isTrue();
    assertThat(world.workload().queueName()).isEqualTo("lq");

    world.setJobStatus("j", status -> status.without("active").without("ready"));
    world.run();

    assertThat(world.workload().queueName()).isEqualTo("other");
    assertThat(world.workload().reserved()).isFalse();
    assertThat(world.workload().admitted()).isFalse();
    assertThat(world.workload().status().holds(WorkloadStatus.PODS_READY)).isFalse();
    assertThat(world.job("j").podSpec().nodeSelector()).as("of the old queue").isEmpty();
  }

  @Test
  void gatedPodMovesToo() {
    world.cluster.delete(Kinds.JOB, world.job("j").object(), Deletion.BACKGROUND);
    world.createPod("p", UnaryOperator.identity());
    world.run();
    var ofPod =
        world.workloads().stream()
            .filter(one -> one.object().isOwnedBy(world.pod("p").object()))
            .findFirst()
            .orElseThrow();
    world.reserve(ofPod, Map.of());
    world.run();

    world.cluster.update(Kinds.POD, toOtherQueue(world.pod("p").object()));
    world.run();

    assertThat(world.hasPod("p")).isTrue();
    assertThat(world.isGated("p")).isTrue();
    assertThat(world.workloads())
        .filteredOn(one -> one.object().isOwnedBy(world.pod("p").object()))
        .allMatch(one -> one.queueName().equals("other") && !one.reserved())
        .hasSize(1);
  }
}
