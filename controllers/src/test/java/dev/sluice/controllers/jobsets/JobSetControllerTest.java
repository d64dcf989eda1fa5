package dev.sluice.controllers.jobsets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.batch.Job;
import dev.sluice.model.jobset.JobSet;
import dev.sluice.model.jobset.JobSetNames;
import dev.sluice.model.jobset.ReplicatedJob;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Deletion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JobSetControllerTest {
  private static final String TEMPLATE =
      "template: {spec: {parallelism: 1, completions: 1, template: {spec: {containers: [{name: c, image: i}]}}}}";
  private static final String LEADER = "{name: leader, " + TEMPLATE + "}";
  private static final String WORKERS = "{name: workers, replicas: 2, " + TEMPLATE + "}";
  private static final String BOTH = "replicatedJobs: [" + LEADER + ", " + WORKERS + "]\n";

  private final JobSetWorld world = new JobSetWorld();

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void createsEveryJobWithItsPlaceInTheSet() {
    world.add(BOTH + "coordinator: {replicatedJob: leader, jobIndex: 0, podIndex: 0}\n");

    assertThat(world.jobs()).containsExactly("s-leader-0", "s-workers-0", "s-workers-1");
    Job last = world.job("s-workers-1");
    assertThat(last.object().labels())
        .containsEntry(JobSetNames.JOB_SET, "s")
        .containsEntry(JobSetNames.REPLICATED_JOB, "workers")
        .containsEntry(JobSetNames.REPLICATED_JOB_REPLICAS, "2")
        .containsEntry(JobSetNames.GLOBAL_REPLICAS, "3")
        .containsEntry(JobSetNames.JOB_INDEX, "1")
        .containsEntry(JobSetNames.JOB_GLOBAL_INDEX, "2")
        .containsEntry(JobSetNames.GROUP, "default")
        .containsEntry(JobSetNames.GROUP_REPLICAS, "3")
        .containsEntry(JobSetNames.JOB_GROUP_INDEX, "2")
        .containsEntry(JobSetNames.RESTART_ATTEMPT, "0")
        .containsEntry(JobSetNames.COORDINATOR, "s-leader-0-0.s")
        // printf default/s-workers-1 | sha1sum
        .containsEntry(JobSetNames.JOB_KEY, "eb81188ea528bcdab862d93600a93ab8986e3b3c");
    assertThat(last.template().texts("metadata", "labels")).isEqualTo(last.object().labels());
    assertThat(last.template().texts("metadata", "annotations")).isEqualTo(last.object().labels());
    assertThat(last.template().text("spec", "subdomain")).isEqualTo("s");
    assertThat(last.isIndexed()).isTrue();
    assertThat(last.template().text("spec", "restartPolicy")).isEqualTo("OnFailure");
  }

  @Test
  void createsAHeadlessServiceAndAgainWhenItIsDeleted() {
    world.add(BOTH + "network: {subdomain: mesh}\n");
    ApiObject service = world.cluster.require(Kinds.SERVICE.key("default", "mesh"));

    assertThat(service.spec().text("clusterIP")).isEqualTo("None");
    assertThat(service.spec().flag("publishNotReadyAddresses")).isTrue();
    assertThat(service.spec().texts("selector")).containsOnlyKeys(JobSetNames.JOB_SET);

    world.cluster.delete(Kinds.SERVICE, service, Deletion.BACKGROUND);
    world.settle();
    assertThat(world.cluster.get(Kinds.SERVICE.key("default", "mesh"))).isPresent();
  }

  @Test
  void completesWhenAllJobsHaveAndDeletesNone() {
    world.add(BOTH);
    world.complete("s-leader-0");
    world.complete("s-workers-0");
    assertThat(world.condition(JobSet.COMPLETED)).isEmpty();

    world.complete("s-workers-1");

    assertThat(world.condition(JobSet.COMPLETED)).isEqualTo("True AllJobsCompleted");
    assertThat(world.now().object().status().text("terminalState")).isEqualTo("Completed");
    assertThat(world.jobs()).hasSize(3);
  }

  @Test
  void anyTargetedSuccessIsEnoughIfThePolicySaysSo() {
    world.add(BOTH + "successPolicy: {operator: Any, targetReplicatedJobs: [workers]}\n");
    world.complete("s-leader-0");
    assertThat(world.condition(JobSet.COMPLETED)).isEmpty();

    world.complete("s-workers-0");

    assertThat(world.condition(JobSet.COMPLETED)).isEqualTo("True AllJobsCompleted");
    assertThat(world.jobs())
        .as("Jobs that still ran are deleted")
        .containsExactly("s-leader-0", "s-workers-0");
  }

  @Test
  void withoutAFailurePolicyTheFirstFailedJobFailsTheSet() {
    world.add(BOTH);
    world.fail("s-workers-1", "BackoffLimitExceeded", "");

    assertThat(world.condition(JobSet.FAILED)).isEqualTo("True FailedJobs");
    assertThat(world.message(JobSet.FAILED))
        .isEqualTo("jobset failed due to one or more job failures (first failed job: s-workers-1)");
    assertThat(world.jobs()).containsExactly("s-workers-1");
  }

  @Test
  void restartsAllJobsUntilTheMaximumIsReached() {
    world.add(BOTH + "failurePolicy: {maxRestarts: 1}\n");
    String before = world.job("s-leader-0").object().uid();
    world.fail("s-workers-0", "BackoffLimitExceeded", "");

    assertThat(world.now().restarts()).isEqualTo(1);
    assertThat(world.jobs()).hasSize(3);
    assertThat(world.job("s-leader-0").object().uid()).isNotEqualTo(before);
    assertThat(world.job("s-leader-0").object().label(JobSetNames.RESTART_ATTEMPT)).isEqualTo("1");
    assertThat(world.condition(JobSet.RESTARTING)).isEqualTo("True DefaultFailurePolicy");

    world.jobs().forEach(world::ready);
    assertThat(world.condition(JobSet.RESTARTING)).isEqualTo("False JobsReady");

    world.fail("s-leader-0", "BackoffLimitExceeded", "");
    assertThat(world.condition(JobSet.FAILED)).isEqualTo("True ReachedMaxRestarts");
    assertThat(world.now().restarts()).isEqualTo(1);
  }

  @Test
  void theFirstRuleThatMatchesDecides() {
    world.add(
        BOTH
            + """
            failurePolicy:
              maxRestarts: 0
              rules:
              - {name: maintenance, action: RestartJobSetAndIgnoreMaxRestarts, onJobFailureReasons: [PodFailurePolicy], onJobFailureMessagePatterns: ["node .* drained"]}
              - {action: FailJobSet, targetReplicatedJobs: [leader]}
            """);
    world.fail("s-workers-0", "PodFailurePolicy", "the node n1 was drained");

    assertThat(world.now().restarts()).isEqualTo(1);
    assertThat(world.now().countedRestarts()).isZero();
    assertThat(world.condition(JobSet.RESTARTING)).isEqualTo("True FailurePolicy_maintenance");

    world.fail("s-leader-0", "BackoffLimitExceeded", "");
    assertThat(world.condition(JobSet.FAILED)).isEqualTo("True FailJobSetFailurePolicyAction");
  }

  @Test
  void blockingRecreateWaitsUntilAllPredecessorsAreGone() {
    world.add(BOTH + "failurePolicy: {maxRestarts: 3, restartStrategy: BlockingRecreate}\n");
    world.collectorStopped = true;
    world.fail("s-workers-0", "BackoffLimitExceeded", "");
    assertThat(world.jobs()).isEmpty();

    world.collectorStopped = false;
    world.settle();

    assertThat(world.jobs()).hasSize(3);
  }

  @Test
  void dependentJobsWaitForOthersToBeReadyOrComplete() {
    world.add(
        "replicatedJobs: ["
            + LEADER
            + ", {name: workers, dependsOn: [{name: leader, status: Ready}], "
            + TEMPLATE
            + "}, {name: report, dependsOn: [{name: workers, status: Complete}], "
            + TEMPLATE
            + "}]\n");
    assertThat(world.jobs()).containsExactly("s-leader-0");

    world.ready("s-leader-0");
    assertThat(world.jobs()).containsExactly("s-leader-0", "s-workers-0");

    world.ready("s-workers-0");
    assertThat(world.jobs()).hasSize(2);
    world.complete("s-workers-0");
    assertThat(world.jobs()).containsExactly("s-leader-0", "s-report-0", "s-workers-0");
  }

  @Test
  void startsInOrderAlsoWhenItIsResumed() {
    world.add(BOTH + "suspend: true\nstartupPolicy: {startupPolicyOrder: InOrder}\n");
    assertThat(world.jobs()).as("all are created suspended").hasSize(3);
    assertThat(world.condition(JobSet.SUSPENDED)).isEqualTo("True SuspendedJobs");

    world.suspend(false);
    assertThat(world.job("s-leader-0").isSuspended()).isFalse();
    assertThat(world.job("s-workers-0").isSuspended()).isTrue();
    assertThat(world.condition(JobSet.SUSPENDED)).isEqualTo("False ResumeJobs");
    assertThat(world.condition(JobSet.STARTUP_IN_PROGRESS))
        .isEqualTo("True InOrderStartupPolicyInProgress");

    world.ready("s-leader-0");
    assertThat(world.job("s-workers-1").isSuspended()).isFalse();
    world.ready("s-workers-0");
    world.ready("s-workers-1");
    assertThat(world.condition(JobSet.STARTUP_COMPLETED))
        .isEqualTo("True InOrderStartupPolicyCompleted");
    assertThat(world.condition(JobSet.STARTUP_IN_PROGRESS))
        .isEqualTo("False InOrderStartupPolicyCompleted");
  }

  @Test
  void resumesOnTheNodesThatItsTemplatesNowAskFor() {
    world.add(BOTH);
    world.ready("s-leader-0");
    world.suspend(true);
    assertThat(world.job("s-leader-0").isSuspended()).isTrue();
    assertThat(world.job("s-workers-0").isSuspended()).isTrue();

    JobSet set = world.now();
    Tree asked =
        set.replicatedJobs()
            .getFirst()
            .tree()
            .with(
                List.of("template", "spec", "template", "spec", "nodeSelector"),
                Tree.of("zone", "a"));
    var jobs = new ArrayList<>(set.replicatedJobs());
    jobs.set(0, new ReplicatedJob(asked));
    world.cluster.update(Kinds.JOB_SET, set.withReplicatedJobs(jobs).withSuspend(false).object());
    world.settle();

    Job leader = world.job("s-leader-0");
    assertThat(leader.isSuspended()).isFalse();
    assertThat(leader.podSpec().nodeSelector()).containsEntry("zone", "a");
    assertThat(leader.status().started()).isEmpty();
  }

  @Test
  void deletesItselfAfterItsTimeToLive() {
    world.add(BOTH + "ttlSecondsAfterFinished: 60\n");
    world.jobs().forEach(world::complete);

    world.wait(Duration.ofSeconds(59));
    assertThat(world.now().object().isDeleting()).isFalse();
    world.wait(Duration.ofSeconds(2));
    assertThat(world.cluster.get(JobSetWorld.KEY).map(ApiObject::isDeleting))
        .isIn(Optional.empty(), Optional.of(true));
  }

  @Test
  void leavesTheJobSetsOfOtherControllersAlone() {
    world.add(BOTH + "managedBy: kueue.x-k8s.io/multikueue\n");

    assertThat(world.jobs()).isEmpty();
    assertThat(world.now().object().status().isEmpty()).isTrue();
  }

  @Test
  void countsItsJobsByState() {
    world.add(BOTH);
    world.complete("s-workers-0");
    world.ready("s-workers-1");

    Tree workers = world.now().object().status().trees("replicatedJobsStatus").getFirst();
    assertThat(workers)
        .isEqualTo(
            Tree.of(
                "name",
                "workers",
                "ready",
                1,
                "succeeded",
                1,
                "failed",
                0,
                "active",
                1,
                "suspended",
                0));
  }

  @Test
  void goesOnAfterARestartOfTheController() {
    world.add(BOTH + "failurePolicy: {maxRestarts: 5}\n");
    world.fail("s-leader-0", "BackoffLimitExceeded", "");
    world.restartController();

    assertThat(world.now().restarts()).isEqualTo(1);
    assertThat(world.jobs()).hasSize(3);
    world.jobs().forEach(world::complete);
    assertThat(world.condition(JobSet.COMPLETED)).isEqualTo("True AllJobsCompleted");
  }

  @Test
  void sharesClaimsWithPodsThatMountThem() {
    world.add(
        """
        replicatedJobs:
        - name: w
          template: {spec: {parallelism: 1, completions: 1, template: {spec: {containers: [{name: c, image: i, volumeMounts: [{name: data, mountPath: /d}]}]}}}}
        volumeClaimPolicies:
        - templates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteMany], resources: {requests: {storage: 1Gi}}}}]
        """);

    ApiObject claim = world.cluster.require(Kinds.PERSISTENT_VOLUME_CLAIM.key("default", "data-s"));
    assertThat(claim.isOwnedBy(world.now().object())).isTrue();
    assertThat(world.job("s-w-0").template().trees("spec", "volumes"))
        .containsExactly(
            Tree.of("name", "data", "persistentVolumeClaim", Tree.of("claimName", "data-s")));
  }

  @Test
  void refusedJobsAreReportedAndTriedAgain() {
    var refusing = new boolean[] {true};
    world.cluster.guard((kind, object) -> {
      if (kind.equals(Kinds.JOB) && refusing[0]) {
        throw ApiFailure.forbidden(object.key(kind), "not today");
      }
    });
    world.add(BOTH);
    assertThat(world.jobs()).isEmpty();
    assertThat(world.events()).contains("JobCreationFailed");

    refusing[0] = false;
    world.wait(Duration.ofMinutes(20));
    assertThat(world.jobs()).hasSize(3);
  }

  @Test
  void aCycleOfDependenciesIsRefused() {
    String loop =
        "replicatedJobs: [{name: a, dependsOn: [{name: b, status: Ready}], "
            + TEMPLATE
            + "}, {name: b, dependsOn: [{name: a, status: Ready}], "
            + TEMPLATE
            + "}]\n";

    assertThatThrownBy(() -> world.add(loop))
        .hasMessageContaining("spec.replicatedJobs[0].dependsOn[0].name")
        .hasMessageContaining("cycles");
  }
}
