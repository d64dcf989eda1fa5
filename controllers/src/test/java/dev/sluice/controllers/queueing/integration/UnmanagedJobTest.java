package dev.sluice.controllers.queueing.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.queueing.rules.Settings;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.batch.Job;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that are no longer queued, and the release of their quota. */
class UnmanagedJobTest {
  private final QueuedWorld world = new QueuedWorld();

  /** Changes the namespace selector so that the namespace is not selected. */
  private void unselect() {
    world.configuration = Settings.selecting(Tree.of("matchLabels", Map.of("queued", "yes")));
  }

  private void end() {
    world.setJobStatus(
        "j", status -> new Condition("Complete", true, "R", "The end").in(status, world.now()));
  }

  /** An admission would not start the job. */
  @ParameterizedTest(name = "with quota: {0}")
  @ValueSource(booleans = {false, true})
  void pendingJobLosesItsWorkload(boolean reserved) {
    world.createJob("j", UnaryOperator.identity());
    world.run();
    if (reserved) {
      world.reserve(world.workload(), Map.of());
    }

    unselect();
    world.run();

    assertThat(world.workloads()).isEmpty();
    assertThat(world.job("j").isSuspended()).isTrue();
  }

  @Test
  void jobAdmittedMeanwhileReleasesItsQuota() {
    world.createJob("j", UnaryOperator.identity());
    world.run();
    world.admit(world.workload());

    unselect();
    world.run();

    assertThat(world.workloads()).isEmpty();
    assertThat(world.job("j").isSuspended()).isTrue();
  }

  @Test
  void gatedPodsLoseTheirWorkload() {
    world.createPod("p", UnaryOperator.identity());
    world.createMember("a", "g", 1);
    world.run();
    assertThat(world.workloads()).hasSize(2);

    unselect();
    world.run();

    assertThat(world.workloads()).isEmpty();
    assertThat(world.isGated("p")).isTrue();
    assertThat(world.isGated("a")).isTrue();
  }

  @Test
  void runningJobRunsToItsEndAndReleasesItsQuota() {
    world.started();
    unselect();
    world.run();
    assertThat(world.job("j").isSuspended()).isFalse();
    assertThat(world.workload().admitted()).isTrue();

    end();
    world.run();

    assertThat(world.workload().status().reason(WorkloadStatus.FINISHED)).isEqualTo("Succeeded");
    assertThat(world.workload().object().finalizers()).isEmpty();
  }

  /** Otherwise a preemptor would wait until the job ends. */
  @Test
  void evictedRunningJobStops() {
    world.started();
    world.setJobStatus("j", status -> status.with("active", 1));
    unselect();
    world.evict("Preempted");
    world.run();
    assertThat(world.job("j").isSuspended()).isTrue();
    assertThat(world.workload().reserved()).as("while its pods run").isTrue();

    world.setJobStatus("j", status -> status.without("active"));
    world.run();

    assertThat(world.workloads()).isEmpty();
    assertThat(world.job("j").podSpec().nodeSelector()).isEmpty();
  }

  @Test
  void runningJobWithADeletedWorkloadStops() {
    world.started();
    unselect();
    world.cluster.delete(Kinds.WORKLOAD, world.workload().object(), Deletion.BACKGROUND);
    world.run();

    assertThat(world.workloads()).isEmpty();
    assertThat(world.job("j").isSuspended()).isTrue();
  }

  @Test
  void runningJobWithoutQuotaGetsNone() {
    world.createJob("j", UnaryOperator.identity());
    world.run();

    unselect();
    world.updateJob(job -> new Job(job).withSuspend(false).object());
    world.run();

    assertThat(world.workloads()).isEmpty();
    assertThat(world.job("j").isSuspended()).isFalse();
  }

  /** While its pods run they use the quota, whatever the labels of the job are. */
  @Test
  void suspendedJobWithoutItsQueueNameKeepsItsQuotaUntilItsPodsAreGone() {
    world.started();
    world.setJobStatus("j", status -> status.with("active", 1));
    world.updateJob(job -> new Job(job.withoutMetadata("labels")).withSuspend(true).object());
    world.run();
    assertThat(world.workload().reserved()).isTrue();

    world.setJobStatus("j", status -> status.without("active"));
    world.run();

    assertThat(world.workloads()).isEmpty();
    assertThat(world.job("j").podSpec().nodeSelector()).isEmpty();
  }

  @Test
  void runningJobWithoutItsQueueNameReleasesItsQuota() {
    world.started();
    world.updateJob(job -> job.withoutMetadata("labels"));
    world.run();
    assertThat(world.workload().admitted()).isTrue();

    end();
    world.run();

    assertThat(world.workload().finished()).isTrue();
  }

  /** From then on its parent has the workload. */
  @Test
  void jobWhoseParentIsQueuedLaterLosesItsWorkload() {
    Job parent = world.createJob("parent", job -> job.withoutMetadata("labels"));
    world.createJob("child", job -> job.controlledBy(parent.object()));
    world.run();
    assertThat(world.workload().queueName()).isEqualTo("lq");

    world.cluster.update(
        Kinds.JOB, world.job("parent").object().withLabel(KueueNames.QUEUE_NAME, "lq"));
    world.run();

    assertThat(world.workload().object().isOwnedBy(world.job("parent").object())).isTrue();
  }

  @Test
  void foreignWorkloadWithTheNameOfAGroupStays() {
    world.createMember("a", "taken", 1);
    world.create(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: Workload
        metadata: {name: taken, namespace: default}
        spec: {queueName: lq, podSets: [{name: main, count: 1, template: {spec: {containers: []}}}]}
        """);

    unselect();
    world.run();

    assertThat(world.workload().finished()).isFalse();
  }

  /** A cache may not have the namespace yet. */
  @Test
  void unknownNamespaceRemovesNothing() {
    world.createJob("j", job -> job.withMetadata("namespace", "unheard-of"));
    world.run();
    assertThat(world.workloads()).hasSize(1);

    unselect();
    world.run();

    assertThat(world.workloads()).hasSize(1);
  }

  @Test
  void labelOfANamespaceTakesEffectAtOnce() {
    unselect();
    world.createJob("j", UnaryOperator.identity());
    world.createPod("p", UnaryOperator.identity());
    world.createMember("a", "g", 1);
    List<Subscription> timers = List.of(labelAfter(50, "yes"), labelAfter(100, "no"));

    world.run(Duration.ofSeconds(51));
    assertThat(world.workloads()).extracting(Workload::queueName).containsOnly("lq").hasSize(3);
    world.run(Duration.ofSeconds(50));

    assertThat(world.workloads()).isEmpty();
    timers.forEach(Subscription::close);
  }

  private Subscription labelAfter(int seconds, String value) {
    return world
        .cluster
        .time()
        .after(
            Duration.ofSeconds(seconds),
            () -> {
              ApiObject namespace = world.cluster.require(Kinds.NAMESPACE.key("default"));
              world.cluster.update(Kinds.NAMESPACE, namespace.withLabel("queued", value));
            });
  }
}
