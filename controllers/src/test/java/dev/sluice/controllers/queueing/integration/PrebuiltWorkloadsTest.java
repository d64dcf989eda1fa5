package dev.sluice.controllers.queueing.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.batch.Job;
import dev.sluice.model.core.pod.PodTemplate;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.PodSet;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.Workload.PriorityClassRef;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Jobs with a prebuilt workload. */
class PrebuiltWorkloadsTest {
  private final QueuedWorld world = new QueuedWorld();

  @Test
  void jobWaitsForItsPrebuiltWorkload() {
    world.createJob("j", job -> job.withLabel(KueueNames.PREBUILT_WORKLOAD, "mine"));
    world.run();
    assertThat(world.workloads()).isEmpty();

    Workload prebuilt =
        Workload.of(
            "default", "mine", "lq", new BatchJobIntegration().podSets(world.job("j").object()));
    world.create(prebuilt.object());
    world.run();
    world.admit(world.workload());
    world.run();

    assertThat(world.workload().object().isOwnedBy(world.job("j").object())).isTrue();
    assertThat(world.job("j").isSuspended()).isFalse();
  }

  @Test
  void prebuiltWorkloadThatDoesNotMatchIsFinished() {
    world.createJob("j", job -> job.withLabel(KueueNames.PREBUILT_WORKLOAD, "mine"));
    var podSet = new BatchJobIntegration().podSets(world.job("j").object()).getFirst().withCount(9);
    world.create(Workload.of("default", "mine", "lq", List.of(podSet)).object());
    world.run();

    assertThat(world.workload().status().reason(WorkloadStatus.FINISHED)).isEqualTo("OutOfSync");
    assertThat(world.job("j").isSuspended()).isTrue();
  }

  @Test
  void emptyFieldsOfPrebuiltWorkloadMatch() {
    world.createJob("j", job -> job.withLabel(KueueNames.PREBUILT_WORKLOAD, "mine"));
    PodSet podSet = new BatchJobIntegration().podSets(world.job("j").object()).getFirst();
    Tree template = podSet.template().tree();
    Tree container =
        template
            .trees("spec", "containers")
            .getFirst()
            .with("ports", Items.EMPTY)
            .with("resources", Tree.of("limits", Tree.EMPTY));
    Tree spelled = template.with(List.of("spec", "containers"), Items.of(List.of(container)));
    world.create(
        Workload.of("default", "mine", "lq", List.of(podSet.withTemplate(new PodTemplate(spelled))))
            .object());
    world.run();

    assertThat(world.workload().object().isOwnedBy(world.job("j").object())).isTrue();
    assertThat(world.workload().status().reason(WorkloadStatus.FINISHED)).isEmpty();
  }

  @Test
  void prebuiltWorkloadKeepsItsGatesAndItsPriority() {
    world.create(
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass, metadata: {name: low},"
            + " value: 1}");
    world.createJob(
        "j",
        job ->
            job.withLabel(KueueNames.PREBUILT_WORKLOAD, "mine")
                .withLabel(KueueNames.PRIORITY_CLASS, "low"));
    Workload prebuilt =
        Workload.of(
                "default", "mine", "lq", new BatchJobIntegration().podSets(world.job("j").object()))
            .withPriority(PriorityClassRef.workloadPriorityClass("high"), 9);
    world.create(prebuilt.object().withAnnotation(KueueNames.ADMISSION_GATED_BY, "a,b"));
    world.run();

    ApiObject taken = world.workload().object();
    assertThat(taken.isOwnedBy(world.job("j").object())).isTrue();
    assertThat(taken.spec()).isEqualTo(prebuilt.object().spec());
    assertThat(taken.annotation(KueueNames.ADMISSION_GATED_BY)).isEqualTo("a,b");
  }

  @Test
  void finishedJobIsNotStoppedWithoutItsPrebuiltWorkload() {
    world.createJob(
        "j",
        job ->
            new Job(job.withLabel(KueueNames.PREBUILT_WORKLOAD, "mine"))
                .withSuspend(false)
                .object());
    world.setJobStatus(
        "j", status -> new Condition("Complete", true, "R", "The end").in(status, world.now()));
    world.run();

    assertThat(world.job("j").isSuspended()).isFalse();
    assertThat(world.events("j")).isEmpty();
  }

  @Test
  void runningJobWithoutItsPrebuiltWorkloadIsStopped() {
    world.createJob(
        "j",
        job ->
            new Job(job.withLabel(KueueNames.PREBUILT_WORKLOAD, "mine"))
                .withSuspend(false)
                .object());
    world.run();

    assertThat(world.job("j").isSuspended()).isTrue();
    assertThat(world.workloads()).isEmpty();
    assertThat(world.events("j")).containsExactly("Normal Stopped: missing workload");
  }

  @Test
  void workloadOfAnotherJobIsNotTaken() {
    Job other = world.createJob("other", UnaryOperator.identity());
    world.run();
    String taken = world.workload().object().name();

    world.createJob("j", job -> job.withAnnotation(KueueNames.PREBUILT_WORKLOAD, taken));
    world.run();

    assertThat(world.workload().object().owners()).hasSize(1);
    assertThat(world.workload().object().isOwnedBy(other.object())).isTrue();
    assertThat(world.job("j").isSuspended()).isTrue();
  }

  /** Otherwise both would run with the quota of one. */
  @Test
  void workloadOfAGroupIsNotTaken() {
    world.startGroup();

    world.createJob("j", job -> job.withAnnotation(KueueNames.PREBUILT_WORKLOAD, "g"));
    world.run();

    assertThat(world.workload().object().owners()).hasSize(2);
    assertThat(world.workload().finished()).isFalse();
    assertThat(world.job("j").isSuspended()).isTrue();
  }
}
