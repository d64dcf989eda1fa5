package dev.sluice.controllers.queueing.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.queueing.rules.Settings;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.batch.Job;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.Subscription;
import dev.sluice.testkit.FakeCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The steps by which every kind of job stops, ends and is deleted, tested with Jobs. */
class JobStopTest {
  private final QueuedWorld world = new QueuedWorld();

  /**
   * An evicted workload keeps its quota until its pods are gone, and only some reasons requeue it
   * at once: docs/specification/workload-lifecycle.md#eviction-keeps-the-quota and
   * docs/specification/workload-lifecycle.md#release-and-requeue.
   */
  @ParameterizedTest
  @CsvSource({"Preempted,true", "NodeFailures,true", "PodsReadyTimeout,false", "Deactivated,false"})
  void evictedJobKeepsItsQuotaUntilItsPodsAreGone(String reason, boolean again) {
    Job before = world.started();
    world.setJobStatus(
        "j", status -> status.with("active", 1).with("startTime", "2030-01-01T00:00:00Z"));

    world.evict(reason);
    world.run();

    assertThat(world.job("j").isSuspended()).isTrue();
    assertThat(world.workload().reserved()).as("pods still run").isTrue();

    world.setJobStatus("j", status -> status.without("active"));
    world.run();

    assertThat(world.workload().reserved()).as("the job has not stopped yet").isTrue();

    var suspended = new Condition("Suspended", true, "JobSuspended", "Job suspended");
    world.setJobStatus("j", status -> suspended.in(status, FakeCluster.START));
    world.run();

    Job stopped = world.job("j");
    assertThat(stopped.podSpec().nodeSelector()).isEmpty();
    assertThat(stopped.template().texts("metadata", "labels")).isEqualTo(Map.of("job-name", "j"));
    assertThat(stopped.status().started()).isEmpty();
    assertThat(stopped.object().annotation(KueueNames.STOPPING)).isEmpty();
    assertThat(stopped.parallelism()).isEqualTo(before.parallelism());
    WorkloadStatus status = world.workload().status();
    assertThat(status.denies(WorkloadStatus.QUOTA_RESERVED)).isTrue();
    assertThat(status.denies(WorkloadStatus.ADMITTED)).isTrue();
    assertThat(status.admission()).isEmpty();
    assertThat(status.holds(WorkloadStatus.REQUEUED)).isEqualTo(again);
    assertThat(status.reason(WorkloadStatus.REQUEUED)).isEqualTo(reason);
    assertThat(world.reasons("j")).contains("Stopped");
  }

  /**
   * The workload may be admitted again before the job is reconciled: then its next pods must start.
   */
  @Test
  void releaseResetsPodsReady() {
    world.started();
    world.setJobStatus("j", status -> status.with("ready", 1));
    world.run();
    var said = new ArrayList<String>();
    Subscription watch =
        world.cluster.watch(
            Kinds.WORKLOAD,
            event -> {
              var status = new WorkloadStatus(event.object().status());
              if (status.denies(WorkloadStatus.QUOTA_RESERVED)) {
                said.add(status.reason(WorkloadStatus.PODS_READY));
              }
            });

    world.evict("Preempted");
    world.setJobStatus("j", status -> status.without("ready"));
    world.run();
    watch.close();

    assertThat(said).isNotEmpty().containsOnly("WaitForStart");
  }

  /**
   * The job needs quota only for the rest of its work, and starts with fewer pods only if allowed.
   */
  @ParameterizedTest
  @CsvSource({",3", "2,1"})
  void partlyDoneJobRunsAgainWithTheRemainingPods(@Nullable String minimum, long parallelism) {
    world.started(job -> {
      ApiObject sized =
          job.with(List.of("spec", "parallelism"), 3).with(List.of("spec", "completions"), 4);
      return minimum == null
          ? sized
          : sized.withAnnotation(KueueNames.JOB_MIN_PARALLELISM, minimum);
    });
    world.setJobStatus("j", status -> status.with("succeeded", 3));
    world.run();
    world.evict("Preempted");
    world.run();
    String uid = world.workload().object().uid();
    assertThat(world.workload().status().reclaimablePods()).isEqualTo(Map.of("main", 2));

    world.admit(world.workload(), Map.of("main", 1));
    world.run();

    assertThat(world.job("j").isSuspended()).isFalse();
    assertThat(world.job("j").parallelism()).isEqualTo(parallelism);
    assertThat(world.workload().object().uid()).as("the same workload").isEqualTo(uid);
    assertThat(world.workload().admitted()).isTrue();
  }

  @Test
  void pendingEvictedJobFollowsItsQueueName() {
    world.started();
    world.evict("Preempted");
    world.run();

    world.updateJob(job -> job.withLabel(KueueNames.QUEUE_NAME, "other"));
    world.run();

    assertThat(world.workload().queueName()).isEqualTo("other");
  }

  @Test
  void changesOfAJobThatNeverStartedStay() {
    world.createJob("j", UnaryOperator.identity());
    world.run();
    world.updateJob(job -> job.with(List.of("spec", "template", "spec", "nodeSelector", "a"), "b"));
    world.evict("Deactivated");
    world.run();

    assertThat(world.job("j").podSpec().nodeSelector()).isEqualTo(Map.of("a", "b"));
  }

  @Test
  void runningJobThatNoLongerMatchesStopsBeforeItsWorkloadIsReplaced() {
    world.started(job -> job.with(List.of("spec", "completions"), 9));
    String uid = world.workload().object().uid();
    world.setJobStatus("j", status -> status.with("active", 1));

    world.updateJob(job -> job.with(List.of("spec", "parallelism"), 5));
    world.run();

    assertThat(world.workload().object().uid()).as("while pods run").isEqualTo(uid);

    world.setJobStatus("j", status -> status.without("active"));
    world.run();

    assertThat(world.workload().object().uid()).isNotEqualTo(uid);
    assertThat(world.workload().podSets().getFirst().count()).isEqualTo(5);
    assertThat(world.job("j").isSuspended()).isTrue();
    assertThat(world.reasons("j")).contains("DeletedWorkload", "Stopped");
  }

  @Test
  void deletedWorkloadStopsItsJobBeforeItIsGone() {
    world.started();
    world.setJobStatus("j", status -> status.with("active", 1));
    String uid = world.workload().object().uid();

    world.cluster.delete(Kinds.WORKLOAD, world.workload().object(), Deletion.BACKGROUND);
    world.run();

    assertThat(world.workload().object().uid()).isEqualTo(uid);
    assertThat(world.job("j").isSuspended()).isTrue();

    world.setJobStatus("j", status -> status.without("active"));
    world.run();

    assertThat(world.workload().object().uid()).isNotEqualTo(uid);
  }

  @Test
  void jobThatEndsWhileItIsStoppedIsNotWrittenAgain() {
    world.started();
    world.setJobStatus("j", status -> status.with("active", 1));
    world.cluster.delete(Kinds.WORKLOAD, world.workload().object(), Deletion.BACKGROUND);
    world.run();
    ApiObject stopping = world.job("j").object();

    world.setJobStatus(
        "j",
        status ->
            new Condition("Complete", true, "R", "The end")
                .in(status.without("active"), world.now()));
    world.run();

    assertThat(world.job("j").object().spec()).isEqualTo(stopping.spec());
    assertThat(world.workloads()).as("its quota is free").isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"Complete,Succeeded", "Failed,Failed"})
  void finishedJobFinishesItsWorkload(String condition, String reason) {
    world.started();

    world.setJobStatus(
        "j", status -> new Condition(condition, true, "R", "The end").in(status, world.now()));
    world.run();

    WorkloadStatus status = world.workload().status();
    assertThat(status.reason(WorkloadStatus.FINISHED)).isEqualTo(reason);
    assertThat(status.message(WorkloadStatus.FINISHED)).isEqualTo("The end");
    assertThat(world.workload().object().finalizers()).isEmpty();
    assertThat(world.reasons("j")).contains("FinishedWorkload");
  }

  @Test
  void deletedJobReleasesItsWorkload() {
    world.started();

    world.cluster.delete(Kinds.JOB, world.job("j").object(), Deletion.BACKGROUND);
    world.run();

    assertThat(world.workload().status().reason(WorkloadStatus.FINISHED))
        .isEqualTo("OwnerNotFound");
    assertThat(world.workload().object().finalizers()).isEmpty();
  }

  @Test
  void runningJobWithoutAdmissionIsStopped() {
    world.createJob("j", job -> job.with(List.of("spec", "suspend"), false));
    world.run();

    assertThat(world.job("j").isSuspended()).isTrue();
    assertThat(world.workloads()).hasSize(1);
  }

  @Test
  void unneededPodsAreReclaimable() {
    world.started(
        job -> job.with(List.of("spec", "parallelism"), 3).with(List.of("spec", "completions"), 4));

    world.setJobStatus("j", status -> status.with("succeeded", 2));
    world.run();

    assertThat(world.workload().status().reclaimablePods()).isEqualTo(Map.of("main", 1));
  }

  @Test
  void deactivatedJobIsDeletedAfterItsRetention() {
    world.configuration =
        Settings.keeping(
            new Configuration.Retention(Optional.empty(), Optional.of(Duration.ofMinutes(1))));
    world.started();
    world.giveUp();

    world.run(Duration.ofSeconds(50));
    assertThat(world.cluster.list(Kinds.JOB)).hasSize(1);

    world.run(Duration.ofSeconds(20));
    assertThat(world.cluster.list(Kinds.JOB)).isEmpty();
  }
}
