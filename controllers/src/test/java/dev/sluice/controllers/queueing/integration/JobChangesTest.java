package dev.sluice.controllers.queueing.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.Gate;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.controllers.queueing.rules.Settings;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.batch.Job;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Deletion;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The changes of a job that its workload follows, and the children that follow a job. */
class JobChangesTest {
  private final QueuedWorld world = new QueuedWorld();

  private void priorityClass(String name, int value) {
    world.create(
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass, metadata: {name: %s}, value: %d}"
            .formatted(name, value));
  }

  @Test
  void jobWithoutAQueueNameIsPendingIfAllJobsAreManaged() {
    world.configuration = Settings.managingAll();
    world.createJob("j", job -> job.withoutMetadata("labels"));
    world.run();
    assertThat(world.workload().object().spec().has("queueName")).isFalse();
    assertThat(world.reasons("j")).containsExactly("CreatedWorkload");

    world.updateJob(job -> job.withLabel(KueueNames.QUEUE_NAME, "lq"));
    world.run();
    assertThat(world.workload().queueName()).isEqualTo("lq");

    world.updateJob(job -> job.withoutMetadata("labels"));
    world.run();
    assertThat(world.workload().object().spec().has("queueName")).isFalse();
  }

  @Test
  void workloadFollowsThePriorityClassOfARunningJob() {
    priorityClass("low", 1);
    priorityClass("high", 9);
    world.createJob("j", job -> job.withLabel(KueueNames.PRIORITY_CLASS, "low"));
    world.run();
    assertThat(world.workload().priority()).isEqualTo(1);
    world.admit(world.workload());
    world.run();

    world.updateJob(job -> job.withLabel(KueueNames.PRIORITY_CLASS, "high"));
    world.run();

    assertThat(world.workload().priority()).isEqualTo(9);
    assertThat(world.workload().priorityClass().orElseThrow().name()).isEqualTo("high");
    assertThat(world.job("j").isSuspended()).isFalse();
  }

  @Test
  void slicesFollowAnElasticJob() {
    priorityClass("low", 1);
    priorityClass("high", 9);
    world.createJob(
        "j",
        job ->
            job.withAnnotation(KueueNames.ELASTIC_JOB, "true")
                .withAnnotation(KueueNames.ADMISSION_GATED_BY, "a")
                .withLabel(KueueNames.PRIORITY_CLASS, "low"));
    world.run();

    world.updateJob(job ->
        job.withoutAnnotation(KueueNames.ADMISSION_GATED_BY)
            .withLabel(KueueNames.MAX_EXEC_TIME, "90")
            .withLabel(KueueNames.PRIORITY_CLASS, "high"));
    world.run();

    assertThat(world.workload().priority()).isEqualTo(9);
    assertThat(world.workload().object().annotation(KueueNames.ADMISSION_GATED_BY)).isEmpty();
    assertThat(world.workload().maximumExecutionTime()).contains(Duration.ofSeconds(90));
  }

  @Test
  void childOfAnElasticJobRunsWhileALargerSliceIsPending() {
    world.createJob("parent", QueuedWorld::elastic);
    world.run();
    world.admit(world.workload());
    world.run();
    ApiObject parent = world.job("parent").object();
    world.createJob(
        "child",
        job ->
            new Job(job.controlledBy(parent).withoutMetadata("labels"))
                .withSuspend(false)
                .object());
    world.cluster.update(Kinds.JOB, parent.with(List.of("spec", "parallelism"), 5));
    world.run();
    assertThat(world.workloads()).hasSize(2);
    assertThat(world.job("child").isSuspended()).isFalse();

    for (Workload slice : world.workloads()) {
      world.setStatus(
          slice, WorkloadTransitions.evict(slice.status(), "Preempted", "Go", "", world.now()));
    }
    world.run();

    assertThat(world.job("child").isSuspended()).isTrue();
  }

  @Test
  void disabledGateMeansNoReclaimablePods() {
    world.configuration = Settings.without(Gate.RECLAIMABLE_PODS);
    world.started(
        job -> job.with(List.of("spec", "parallelism"), 3).with(List.of("spec", "completions"), 4));

    world.setJobStatus("j", status -> status.with("succeeded", 2));
    world.run();

    assertThat(world.workload().status().reclaimablePods()).isEmpty();
  }

  @Test
  void reclaimablePodsStayReclaimableWhileTheJobRuns() {
    world.started(
        job -> job.with(List.of("spec", "parallelism"), 3).with(List.of("spec", "completions"), 4));
    world.setJobStatus("j", status -> status.with("succeeded", 3));
    world.run();
    assertThat(world.workload().status().reclaimablePods()).containsEntry("main", 2);

    world.setJobStatus("j", status -> status.with("succeeded", 2));
    world.run();

    WorkloadStatus status = world.workload().status();
    assertThat(status.reclaimablePods()).containsEntry("main", 2);
  }

  @Test
  void workloadOfATerminatingJobKeepsItsQuota() {
    world.started();
    world.updateJob(job -> job.withFinalizer("example.com/wait"));
    world.cluster.delete(Kinds.JOB, world.job("j").object(), Deletion.BACKGROUND);
    world.run();

    assertThat(world.workload().finished()).isFalse();
    assertThat(world.workload().reserved()).isTrue();
    assertThat(world.workload().object().finalizers()).isEmpty();
  }

  @Test
  void conditionHasTheGenerationOfItsWrite() {
    priorityClass("low", 1);
    priorityClass("high", 9);
    world.started(job -> job.withLabel(KueueNames.PRIORITY_CLASS, "low"));
    assertThat(observed(WorkloadStatus.PODS_READY)).isEqualTo(1);

    world.updateJob(job -> job.withLabel(KueueNames.PRIORITY_CLASS, "high"));
    world.run();
    world.setJobStatus(
        "j", status -> new Condition("Complete", true, "R", "The end").in(status, world.now()));
    world.run();

    assertThat(world.workload().object().generation()).isEqualTo(2);
    assertThat(observed(WorkloadStatus.FINISHED)).isEqualTo(2);
    assertThat(observed(WorkloadStatus.PODS_READY)).as("said before").isEqualTo(1);
  }

  private long observed(String condition) {
    return Condition.find(world.workload().status().tree(), condition)
        .orElseThrow()
        .whole("observedGeneration")
        .orElse(0);
  }
}
