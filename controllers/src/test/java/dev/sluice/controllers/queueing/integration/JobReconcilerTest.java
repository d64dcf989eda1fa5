package dev.sluice.controllers.queueing.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.queueing.WorkloadNames;
import dev.sluice.controllers.queueing.rules.Settings;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.batch.Job;
import dev.sluice.model.kueue.CheckState;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The steps by which every kind of job gets its workload and starts, tested with Jobs. */
class JobReconcilerTest {
  private final QueuedWorld world = new QueuedWorld();

  @Test
  void queuedJobGetsAWorkload() {
    world.configuration = Settings.copying("team", "job-name");
    Job job =
        world.createJob(
            "j",
            object ->
                object
                    .withLabel("team", "blue")
                    .withLabel(KueueNames.MAX_EXEC_TIME, "90")
                    .withAnnotation(KueueNames.ADMISSION_GATED_BY, "a,b")
                    .withAnnotation("provreq.kueue.x-k8s.io/size", "9"));
    world.run();

    ApiObject workload = world.workload().object();
    assertThat(workload.name()).isEqualTo(WorkloadNames.of(Kinds.JOB, job.object()));
    assertThat(workload.controller().orElseThrow().uid()).isEqualTo(job.object().uid());
    assertThat(workload.hasFinalizer(KueueNames.IN_USE)).isTrue();
    assertThat(workload.labels())
        .containsEntry(KueueNames.JOB_UID, job.object().uid())
        .containsEntry("team", "blue")
        .containsEntry("job-name", "j");
    assertThat(workload.annotation(KueueNames.ADMISSION_GATED_BY)).isEqualTo("a,b");
    assertThat(workload.annotation("provreq.kueue.x-k8s.io/size")).isEqualTo("9");
    assertThat(world.workload().queueName()).isEqualTo("lq");
    assertThat(world.workload().maximumExecutionTime()).contains(Duration.ofSeconds(90));
    assertThat(world.reasons("j")).containsExactly("CreatedWorkload");
  }

  @Test
  void otherJobsAreLeftAlone() {
    world.createJob("free", job -> job.withoutMetadata("labels"));
    world.createJob("system", job -> job.withMetadata("namespace", "kube-system"));
    world.run();

    assertThat(world.workloads()).isEmpty();
  }

  @Test
  void jobWithoutItsQueueNameLosesItsWorkload() {
    world.createJob("j", UnaryOperator.identity());
    world.run();

    world.updateJob(job -> job.withoutMetadata("labels"));
    world.run();

    assertThat(world.workloads()).isEmpty();
  }

  @Test
  void admittedJobStartsOnTheNodesOfItsFlavor() {
    Job job = world.started();

    assertThat(job.isSuspended()).isFalse();
    assertThat(job.podSpec().nodeSelector()).isEqualTo(Map.of("type", "big"));
    assertThat(job.podSpec().tree().trees("tolerations")).hasSize(1);
    assertThat(job.template().texts("metadata", "labels"))
        .containsEntry(KueueNames.POD_SET, "main")
        .containsEntry(KueueNames.LOCAL_QUEUE, "lq")
        .containsEntry(KueueNames.CLUSTER_QUEUE, "cq");
    assertThat(world.reasons("j")).containsExactly("CreatedWorkload", "Started");
  }

  @Test
  void podSetUpdatesOfChecksReachThePods() {
    world.createJob("j", UnaryOperator.identity());
    world.run();
    Tree update = Tree.of("name", "main", "nodeSelector", Tree.of("zone", "z"));
    Tree check = Tree.of("name", "c", "state", "Ready", "podSetUpdates", List.of(update));
    world.setStatus(
        world.workload(),
        world.workload().status().withAdmissionChecks(List.of(new CheckState(check))));
    world.admit(world.workload());
    world.run();

    assertThat(world.job("j").podSpec().nodeSelector()).containsEntry("zone", "z");
  }

  @Test
  void conflictWithTheAdmissionIsFinal() {
    world.started(
        job -> job.with(List.of("spec", "template", "spec", "nodeSelector", "type"), "small"));

    Workload workload = world.workload();
    assertThat(world.job("j").isSuspended()).isTrue();
    assertThat(workload.status().reason(WorkloadStatus.FINISHED)).isEqualTo("FailedToStart");
    assertThat(workload.status().message(WorkloadStatus.FINISHED)).contains("type", "small", "big");
  }

  @Test
  void partiallyAdmittedJobStartsWithFewerPodsAndIsRestored() {
    world.createJob(
        "j",
        job ->
            job.withAnnotation(KueueNames.JOB_MIN_PARALLELISM, "2")
                .withAnnotation(KueueNames.JOB_COMPLETIONS_EQUAL_PARALLELISM, "true")
                .with(List.of("spec", "parallelism"), 10)
                .with(List.of("spec", "completions"), 10));
    world.run();
    world.admit(world.workload(), Map.of("main", 3));
    world.run();

    assertThat(world.job("j").parallelism()).isEqualTo(3);
    assertThat(world.job("j").completions()).hasValue(3);
    assertThat(world.workloads()).as("still the same workload").hasSize(1);

    world.evict("Preempted");
    world.run();

    assertThat(world.job("j").parallelism()).isEqualTo(10);
    assertThat(world.job("j").completions()).hasValue(10);
  }

  @Test
  void pendingWorkloadIsUpdatedInPlace() {
    world.createJob("j", job -> job.with(List.of("spec", "completions"), 9));
    world.run();
    String uid = world.workload().object().uid();

    world.updateJob(job ->
        job.with(List.of("spec", "parallelism"), 5).withLabel(KueueNames.MAX_EXEC_TIME, "7"));
    world.run();

    assertThat(world.workload().object().uid()).isEqualTo(uid);
    assertThat(world.workload().podSets().getFirst().count()).isEqualTo(5);
    assertThat(world.workload().maximumExecutionTime()).contains(Duration.ofSeconds(7));
    assertThat(world.reasons("j")).containsExactly("CreatedWorkload", "UpdatedWorkload");
  }

  @Test
  void podsReadyFollowsThePods() {
    world.started();
    assertThat(ready()).isEqualTo("WaitForStart: Not all pods are ready or succeeded");

    world.setJobStatus("j", status -> status.with("ready", 1));
    world.run();
    assertThat(ready())
        .isEqualTo("Started: All pods reached readiness and the workload is running");

    world.setJobStatus("j", status -> status.with("ready", 0));
    world.run();
    assertThat(ready())
        .isEqualTo("WaitForRecovery: At least one pod has failed, waiting for recovery");

    world.setJobStatus("j", status -> status.with("ready", 1));
    world.run();
    assertThat(ready()).startsWith("Recovered: ");
  }

  private String ready() {
    WorkloadStatus status = world.workload().status();
    return status.reason(WorkloadStatus.PODS_READY)
        + ": "
        + status.message(WorkloadStatus.PODS_READY);
  }

  @Test
  void childOfAQueuedJobHasNoWorkloadAndRunsOnlyWithIt() {
    Job parent = world.started();
    ApiObject child =
        world
            .createJob("child", job -> job.controlledBy(parent.object()).withoutMetadata("labels"))
            .object();
    world.cluster.update(Kinds.JOB, new Job(child).withSuspend(false).object());
    world.run();
    assertThat(world.job("child").isSuspended()).as("the parent is admitted").isFalse();

    world.evict("Preempted");
    world.run();

    assertThat(world.job("child").isSuspended()).isTrue();
    assertThat(world.workloads()).hasSize(1);
    assertThat(world.reasons("child")).containsExactly("Suspended");
  }

  @Test
  void gateRemovedFromTheJobIsRemovedFromItsWorkload() {
    world.createJob("j", job -> job.withAnnotation(KueueNames.ADMISSION_GATED_BY, "a,b"));
    world.run();

    world.updateJob(job -> job.withAnnotation(KueueNames.ADMISSION_GATED_BY, "b,c"));
    world.run();
    assertThat(world.workload().object().annotation(KueueNames.ADMISSION_GATED_BY)).isEqualTo("b");

    world.updateJob(job -> job.withoutAnnotation(KueueNames.ADMISSION_GATED_BY));
    world.run();
    assertThat(world.workload().object().annotation(KueueNames.ADMISSION_GATED_BY)).isEmpty();
  }

  @Test
  void messagesOfPendingChecksBecomeEvents() {
    world.createJob("j", UnaryOperator.identity());
    world.run();
    CheckState pending = CheckState.pending("c", world.now()).in("Pending", "wait", world.now());
    world.setStatus(
        world.workload(), world.workload().status().withAdmissionChecks(List.of(pending)));
    world.reserve(world.workload(), Map.of());
    world.run();

    assertThat(world.reasons("j")).contains("UpdatedAdmissionCheck");
    assertThat(world.job("j").isSuspended()).isTrue();
  }
}
