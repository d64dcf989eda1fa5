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

/** Jobs that are not queued any more: what they hold is never held for nobody. */
class UnmanagedJobTest {
  private final QueuedWorld world = new QueuedWorld();

  /** As an administrator changes which namespaces are selected. */
  private void unselect() {
    world.configuration = Settings.selecting(Tree.of("matchLabels", Map.of("queued", "yes")));
  }

  private void end() {
    world.setJobStatus(
        "j", status -> new Condition("Complete", true, "R", "The end").in(status, world.now()));
  }

  /** Nobody would start the job if it were admitted. */
  @ParameterizedTest(name = "with quota: {0}")
  @ValueSource(booleans = {false, true})
  void aWaitingJobLosesItsPlaceInLine(boolean reserved) {
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
  void aJobThatIsAdmittedAtThatMomentDoesNotHoldItsQuota() {
    world.createJob("j", UnaryOperator.identity());
    world.run();
    world.admit(world.workload());

    unselect();
    world.run();

    assertThat(world.workloads()).isEmpty();
    assertThat(world.job("j").isSuspended()).isTrue();
  }

  @Test
  void gatedPodsLoseTheirPlaceInLine() {
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
  void aRunningJobRunsToItsEndAndGivesItsQuotaBack() {
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

  /** Otherwise whoever needs its quota would wait for as long as the job likes to run. */
  @Test
  void aRunningJobGivesWayWhenItIsEvicted() {
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
  void aRunningJobWhoseWorkloadIsDeletedStops() {
    world.started();
    unselect();
    world.cluster.delete(Kinds.WORKLOAD, world.workload().object(), Deletion.BACKGROUND);
    world.run();

    assertThat(world.workloads()).isEmpty();
    assertThat(world.job("j").isSuspended()).isTrue();
  }

  @Test
  void aJobThatRunsWithoutQuotaTakesNone() {
    world.createJob("j", UnaryOperator.identity());
    world.run();

    unselect();
    world.updateJob(job -> new Job(job).withSuspend(false).object());
    world.run();

    assertThat(world.workloads()).isEmpty();
    assertThat(world.job("j").isSuspended()).isFalse();
  }

  /** While its pods run the quota is theirs, whatever its labels say. */
  @Test
  void aJobThatIsSuspendedAndLeavesItsQueueKeepsItsQuotaUntilItsPodsAreGone() {
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
  void aJobThatRunsWithoutItsQueueNameStillGivesItsQuotaBack() {
    world.started();
    world.updateJob(job -> job.withoutMetadata("labels"));
    world.run();
    assertThat(world.workload().admitted()).isTrue();

    end();
    world.run();

    assertThat(world.workload().finished()).isTrue();
  }

  /** Its parent stands for it from then on. */
  @Test
  void aJobWhoseParentIsQueuedLaterLeavesNoWorkload() {
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
  void aWorkloadOfAnotherThatHasTheNameOfAGroupStays() {
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

  /** A cache that has not heard of a namespace yet is no reason to take anything away. */
  @Test
  void nothingIsTakenAwayWhereTheNamespaceIsNotKnown() {
    world.createJob("j", job -> job.withMetadata("namespace", "unheard-of"));
    world.run();
    assertThat(world.workloads()).hasSize(1);

    unselect();
    world.run();

    assertThat(world.workloads()).hasSize(1);
  }

  @Test
  void aLabelOfANamespaceCountsAtOnceForAllItsJobs() {
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
