package dev.sluice.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.Kinds;
import dev.sluice.model.kueue.CheckState;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Queues as their users see them. */
class QueueingScenariosTest {
  private QueueScenario town = new QueueScenario();

  @AfterEach
  void close() {
    assertThat(town.breaches()).isEmpty();
    town.close();
  }

  @Test
  void aTeamBorrowsWhatAnotherLeavesUnusedUntilThatWantsItBack() {
    town.queue("a", "2", "cohortName: all, preemption: {reclaimWithinCohort: Any}");
    town.queue("b", "2", "cohortName: all, preemption: {reclaimWithinCohort: Any}");
    town.job("borrower", "b", 4, 300);
    town.pass(10);
    assertThat(town.running()).containsExactly("borrower");

    town.job("owner", "a", 2, 30);
    town.pass(20);

    assertThat(town.running()).containsExactly("owner");
    assertThat(town.workload("borrower").status().reason(WorkloadStatus.PREEMPTED))
        .isEqualTo("InCohortReclamation");
    town.pass(60);
    assertThat(town.running()).containsExactly("borrower");
  }

  @Test
  void threeTeamsGetFairShares() {
    town.close();
    town = QueueScenario.fair();
    for (String team : List.of("a", "b", "c")) {
      town.queue(team, "0", "cohortName: all, preemption: {reclaimWithinCohort: Any}");
    }
    town.queue("pool", "6", "cohortName: all");
    for (int i = 0; i < 6; i++) {
      town.job("a" + i, "a", 1, 600);
    }
    town.pass(10);
    assertThat(town.running()).hasSize(6);

    for (int i = 0; i < 6; i++) {
      town.job("b" + i, "b", 1, 600);
      town.job("c" + i, "c", 1, 600);
    }
    town.pass(60);

    assertThat(town.running()).filteredOn(job -> job.startsWith("a")).hasSize(2);
    assertThat(town.running()).filteredOn(job -> job.startsWith("b")).hasSize(2);
    assertThat(town.running()).filteredOn(job -> job.startsWith("c")).hasSize(2);
  }

  @Test
  void theHeadOfAStrictQueueHoldsBackThoseBehindIt() {
    town.queue("strict", "4", "queueingStrategy: StrictFIFO");
    town.queue("loose", "4", "");
    for (String queue : List.of("strict", "loose")) {
      town.job(queue + "-first", queue, 3, 30);
      town.pass(1);
      town.job(queue + "-large", queue, 4, 10);
      town.pass(1);
      town.job(queue + "-small", queue, 1, 10);
    }
    town.pass(5);

    assertThat(town.running()).containsExactly("loose-first", "loose-small", "strict-first");
    town.pass(120);
    assertThat(town.state("strict-small")).isEqualTo("Complete");
  }

  @Test
  void theImportantGoFirstAndTheOthersComeBack() {
    town.create(
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass,"
            + " metadata: {name: high}, value: 100}");
    town.queue("q", "2", "preemption: {withinClusterQueue: LowerPriority}");
    town.job("low", "q", 2, 100);
    town.pass(10);
    town.job("high", "q", 2, 20, QueueScenario.priority("high"), "");
    town.pass(10);

    assertThat(town.running()).containsExactly("high");
    assertThat(town.workload("low").status().reason(WorkloadStatus.EVICTED)).isEqualTo("Preempted");
    town.pass(300);
    assertThat(town.state("low")).isEqualTo("Complete");
    assertThat(town.workload("low").status().evictions("Preempted", "")).isEqualTo(1);
  }

  @Test
  void aJobThatMayShrinkStartsWithWhatThereIs() {
    town.queue("q", "3", "");
    town.job("j", "q", 8, 20, "", "kueue.x-k8s.io/job-min-parallelism: \"2\"");
    town.pass(5);

    assertThat(town.podsOf("j")).isEqualTo(3);
    town.pass(200);
    assertThat(town.state("j")).isEqualTo("Complete");
  }

  @Test
  void aCohortLendsNoMoreThanItSays() {
    town.create(
        """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: Cohort, metadata: {name: left},
         spec: {parentName: root, resourceGroups: [{coveredResources: [cpu], flavors: [{name: f,
          resources: [{name: cpu, nominalQuota: 10, lendingLimit: 3}]}]}]}}
        """);
    town.queue("in", "0", "cohortName: left");
    town.queue("out", "1", "cohortName: root");
    town.job("too-much", "out", 5, 20);
    town.job("enough", "out", 4, 20);
    town.job("inside", "in", 7, 20);
    town.pass(5);

    assertThat(town.running()).containsExactly("enough", "inside");
    assertThat(town.why("too-much")).contains("maximum capacity (4)");
  }

  @Test
  void aCheckDecidesBetweenReservationAndAdmission() {
    town.create(
        "{apiVersion: kueue.x-k8s.io/v1beta2, kind: AdmissionCheck, metadata: {name: budget},"
            + " spec: {controllerName: people}}");
    town.queue("q", "4", "admissionChecksStrategy: {admissionChecks: [{name: budget}]}");
    town.pass(2);
    assertThat(town.active("q")).contains("inactive AdmissionCheck(s): budget");
    town.update(
        """
        {apiVersion: kueue.x-k8s.io/v1beta2, kind: AdmissionCheck, metadata: {name: budget},
         status: {conditions: [{type: Active, status: "True", reason: Active, message: "",
          lastTransitionTime: "2026-01-01T00:00:00Z"}]}}
        """);
    town.job("granted", "q", 2, 20);
    town.job("denied", "q", 2, 20);
    town.pass(5);
    assertThat(town.running()).isEmpty();
    assertThat(town.workload("granted").reserved()).isTrue();

    answer("granted", CheckState.READY);
    answer("denied", CheckState.REJECTED);
    town.pass(5);

    assertThat(town.running()).containsExactly("granted");
    assertThat(town.workload("denied").active()).isFalse();
    assertThat(town.workload("denied").reserved()).isFalse();
  }

  private void answer(String job, String state) {
    Workload workload = town.workload(job);
    WorkloadStatus status = workload.status();
    town.cluster()
        .patchStatus(
            Kinds.WORKLOAD,
            workload.object(),
            status
                .withAdmissionChecks(
                    status.admissionChecks().stream()
                        .map(check -> check.in(state, "", town.cluster().time().now()))
                        .toList())
                .tree());
  }

  @Test
  void aHeldQueueFinishesWhatRunsAndADrainedOneStopsIt() {
    town.queue("held", "2", "");
    town.queue("drained", "2", "");
    for (String queue : List.of("held", "drained")) {
      town.job(queue + "-runs", queue, 2, 30);
    }
    town.pass(5);
    town.updateSpec("ClusterQueue", "held", "stopPolicy: Hold");
    town.updateSpec("ClusterQueue", "drained", "stopPolicy: HoldAndDrain");
    for (String queue : List.of("held", "drained")) {
      town.job(queue + "-waits", queue, 2, 30);
    }
    town.pass(60);

    assertThat(town.running()).isEmpty();
    assertThat(town.state("held-runs")).isEqualTo("Complete");
    assertThat(town.state("drained-runs")).isEqualTo("Suspended");
    town.updateSpec("ClusterQueue", "held", "stopPolicy: None");
    town.updateSpec("ClusterQueue", "drained", "stopPolicy: None");
    town.pass(200);
    for (String job : List.of("held-waits", "drained-runs", "drained-waits")) {
      assertThat(town.state(job)).as(job).isEqualTo("Complete");
    }
  }

  @Test
  void aJobThatRunsForTooLongIsSwitchedOff() {
    town.queue("q", "2", "");
    town.job("endless", "q", 2, 100_000, "kueue.x-k8s.io/max-exec-time-seconds: \"30\"", "");
    town.job("next", "q", 2, 10);
    town.pass(100);

    assertThat(town.state("endless")).isEqualTo("Suspended");
    assertThat(town.workload("endless").status().reason(WorkloadStatus.EVICTED))
        .isEqualTo("DeactivatedDueToMaximumExecutionTimeExceeded");
    assertThat(town.state("next")).isEqualTo("Complete");
  }
}
