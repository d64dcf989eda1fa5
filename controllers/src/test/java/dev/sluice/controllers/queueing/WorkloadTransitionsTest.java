package dev.sluice.controllers.queueing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.Condition;
import dev.sluice.model.kueue.Admission;
import dev.sluice.model.kueue.CheckState;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkloadTransitionsTest {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
  private static final Instant LATER = START.plusSeconds(90);
  private static final WorkloadStatus NEW = new WorkloadStatus(Tree.EMPTY);

  private static WorkloadStatus admitted() {
    return WorkloadTransitions.admit(
            WorkloadTransitions.reserve(NEW, new Admission("cq", List.of()), START), "cq", START)
        .status();
  }

  private static WorkloadStatus evicted(String reason) {
    return WorkloadTransitions.evict(admitted(), reason, "because", "", START);
  }

  @Test
  void admissionSaysHowLongTheWorkloadWaitedForItsChecks() {
    WorkloadStatus reserved =
        WorkloadTransitions.reserve(NEW, new Admission("cq", List.of()), START);

    var admitted = WorkloadTransitions.admit(reserved, "cq", LATER);

    assertThat(admitted.message())
        .isEqualTo("Admitted by ClusterQueue cq, wait time since reservation was 90s");
    assertThat(admitted.status().reason(WorkloadStatus.ADMITTED)).isEqualTo("Admitted");
    assertThat(admitted.status().message(WorkloadStatus.ADMITTED))
        .isEqualTo("The workload is admitted");
    assertThat(admitted.status().since(WorkloadStatus.ADMITTED)).contains(LATER);
  }

  @Test
  void evictionKeepsTheQuota() {
    WorkloadStatus status = evicted("Preempted");

    assertThat(status.holds(WorkloadStatus.EVICTED)).isTrue();
    assertThat(status.holds(WorkloadStatus.QUOTA_RESERVED)).isTrue();
    assertThat(status.holds(WorkloadStatus.ADMITTED)).isTrue();
    assertThat(status.admission()).isPresent();
  }

  @Test
  void evictionClearsTheClusterName() {
    var status =
        new WorkloadStatus(
                admitted()
                    .tree()
                    .with("clusterName", "east")
                    .with("nominatedClusterNames", List.of("east"))
                    .with("unhealthyNodes", List.of(Tree.of("name", "n")))
                    .with("preemptionGates", List.of(Tree.of("name", "g", "position", "Open"))))
            .with(
                new Condition(
                    WorkloadStatus.BLOCKED_ON_PREEMPTION_GATES, true, "PreemptionGated", ""),
                START);

    Tree after = WorkloadTransitions.evict(status, "Preempted", "", "", LATER).tree();

    assertThat(after.names())
        .doesNotContain("clusterName", "nominatedClusterNames", "unhealthyNodes");
    assertThat(after.at("preemptionGates"))
        .isEqualTo(
            Items.of(
                List.of(
                    Tree.of(
                        "name",
                        "g",
                        "position",
                        "Closed",
                        "lastTransitionTime",
                        "2030-01-01T00:01:30Z"))));
    assertThat(Condition.holds(after, WorkloadStatus.BLOCKED_ON_PREEMPTION_GATES)).isFalse();
  }

  /**
   * An eviction resets checks:
   * docs/specification/workload-lifecycle.md#checks-are-reset-by-an-eviction.
   */
  @ParameterizedTest
  @CsvSource({
    "Pending,  0, waiting",
    "Ready,    0, Reset to Pending after eviction. Previously: Ready",
    "Rejected, 0, Reset to Pending after eviction. Previously: Rejected",
    "Retry,    3, Reset to Pending after eviction. Previously: Retry"
  })
  void evictionResetsChecks(String state, int wantRetries, String wantMessage) {
    var check =
        new CheckState(
            Tree.of(
                "name",
                "a",
                "state",
                state,
                "message",
                "waiting",
                "retryCount",
                state.equals("Pending") ? 0 : 2,
                "requeueAfterSeconds",
                60,
                "podSetUpdates",
                state.equals("Ready") ? List.of(Tree.of("name", "main")) : List.of()));

    CheckState reset =
        WorkloadTransitions.evict(
                admitted().withAdmissionChecks(List.of(check)), "Preempted", "", "", LATER)
            .admissionChecks()
            .getFirst();

    assertThat(reset.state()).isEqualTo("Pending");
    assertThat(reset.message()).isEqualTo(wantMessage);
    assertThat(reset.retryCount()).isEqualTo(wantRetries);
    assertThat(reset.requeueAfter()).contains(Duration.ofSeconds(60));
    assertThat(reset.podSetUpdates()).isEmpty();
  }

  @Test
  void evictionsAreCountedByReasonAndCause() {
    WorkloadStatus status = evicted("Preempted");
    status = WorkloadTransitions.evict(status, "Preempted", "", "", START);
    status = WorkloadTransitions.evict(status, "Deactivated", "", "AdmissionCheck", START);

    assertThat(status.evictions("Preempted", "")).isEqualTo(2);
    assertThat(status.evictions("Deactivated", "AdmissionCheck")).isEqualTo(1);
    assertThat(status.reason(WorkloadStatus.EVICTED)).isEqualTo("DeactivatedDueToAdmissionCheck");
  }

  @Test
  void reasonIncludesTheCauseOfADeactivation() {
    WorkloadStatus status =
        WorkloadTransitions.evict(admitted(), "PodsReadyTimeout", "", "WaitForStart", START);

    assertThat(status.reason(WorkloadStatus.EVICTED)).isEqualTo("PodsReadyTimeout");
    assertThat(status.evictions("PodsReadyTimeout", "WaitForStart")).isEqualTo(1);
  }

  @Test
  void preemptionIsAnEvictionThatNamesItsRule() {
    WorkloadStatus status =
        WorkloadTransitions.preempt(admitted(), "InClusterQueue", "because", START);

    assertThat(status.reason(WorkloadStatus.EVICTED)).isEqualTo("Preempted");
    assertThat(status.holds(WorkloadStatus.PREEMPTED)).isTrue();
    assertThat(status.reason(WorkloadStatus.PREEMPTED)).isEqualTo("InClusterQueue");
  }

  /**
   * The reason of the eviction decides whether the workload is requeued at once:
   * docs/specification/workload-lifecycle.md#release-and-requeue.
   */
  @ParameterizedTest
  @CsvSource({
    "Preempted,           true",
    "NodeFailures,        true",
    "PodsReadyTimeout,    false",
    "AdmissionCheck,      false",
    "ClusterQueueStopped, false",
    "LocalQueueStopped,   false",
    "Deactivated,         false",
    "FlavorMigration,     false"
  })
  void evictedWorkloadIsRequeuedAtOnceOrNot(String reason, boolean atOnce) {
    WorkloadStatus status =
        WorkloadTransitions.releaseEvicted(evicted(reason), ConditionReasons.PLAIN, LATER);

    assertThat(status.holds(WorkloadStatus.REQUEUED)).isEqualTo(atOnce);
    assertThat(status.denies(WorkloadStatus.REQUEUED)).isEqualTo(!atOnce);
    assertThat(status.reason(WorkloadStatus.REQUEUED)).isEqualTo(reason);
    assertThat(status.reason(WorkloadStatus.QUOTA_RESERVED)).isEqualTo("Pending");
    assertThat(status.message(WorkloadStatus.QUOTA_RESERVED)).isEqualTo("because");
    assertThat(status.admission()).isEmpty();
    assertThat(status.denies(WorkloadStatus.ADMITTED)).isTrue();
    assertThat(status.holds(WorkloadStatus.EVICTED)).as("until it gets quota again").isTrue();
  }

  @Test
  void executionTimeIsAccumulated() {
    WorkloadStatus status = WorkloadTransitions.release(evicted("Preempted"), "Pending", "", LATER);
    assertThat(status.accumulatedExecutionTime()).isEqualTo(Duration.ofSeconds(90));

    status = WorkloadTransitions.reserve(status, new Admission("cq", List.of()), LATER);
    assertThat(WorkloadTransitions.release(status, "Pending", "", LATER.plusSeconds(5)))
        .as("what was never admitted did not run")
        .satisfies(after ->
            assertThat(after.accumulatedExecutionTime()).isEqualTo(Duration.ofSeconds(90)));
  }

  @ParameterizedTest
  @CsvSource({
    "PLAIN, Ready,   NoReservation,                  Pending",
    "PLAIN, Pending, NoReservationUnsatisfiedChecks, Pending",
    "FINE,  Ready,   NoReservation,                  PendingEvaluation",
    "FINE,  Pending, NoReservation,                  PendingEvaluation"
  })
  void releasedWorkloadHasTheReasonWhyItIsNotAdmitted(
      ConditionReasons words, String check, String wantAdmitted, String wantReserved) {
    WorkloadStatus status =
        evicted("Preempted")
            .withAdmissionChecks(List.of(CheckState.pending("a", START).in(check, "", START)));

    WorkloadStatus after = WorkloadTransitions.releaseEvicted(status, words, LATER);

    assertThat(after.reason(WorkloadStatus.ADMITTED)).isEqualTo(wantAdmitted);
    assertThat(after.reason(WorkloadStatus.QUOTA_RESERVED)).isEqualTo(wantReserved);
  }

  @Test
  void newQuotaEndsTheEviction() {
    WorkloadStatus status =
        WorkloadTransitions.releaseEvicted(
            WorkloadTransitions.preempt(admitted(), "InClusterQueue", "because", START),
            ConditionReasons.PLAIN,
            START);

    status = WorkloadTransitions.reserve(status, new Admission("cq", List.of()), LATER);

    for (String type : List.of(WorkloadStatus.EVICTED, WorkloadStatus.PREEMPTED)) {
      assertThat(status.denies(type)).isTrue();
      assertThat(status.reason(type)).isEqualTo("QuotaReserved");
      assertThat(status.message(type)).isEqualTo("Previously: because");
      assertThat(status.since(type)).isEqualTo(Optional.of(LATER));
    }
  }

  @Test
  void longMessageIsCut() {
    String message = WorkloadTransitions.condition("A", true, "B", "x".repeat(40_000)).message();

    assertThat(message).hasSize(32 * 1024).endsWith("...");
  }
}
