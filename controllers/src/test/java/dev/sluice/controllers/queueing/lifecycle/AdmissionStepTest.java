package dev.sluice.controllers.queueing.lifecycle;

import static dev.sluice.controllers.queueing.lifecycle.LifecycleWorld.CLUSTER_QUEUE;
import static dev.sluice.controllers.queueing.lifecycle.LifecycleWorld.LOCAL_QUEUE;
import static dev.sluice.controllers.queueing.lifecycle.LifecycleWorld.check;
import static dev.sluice.controllers.queueing.lifecycle.LifecycleWorld.gates;
import static dev.sluice.controllers.queueing.lifecycle.LifecycleWorld.notRequeued;
import static dev.sluice.controllers.queueing.lifecycle.StepCase.when;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Gate;
import dev.sluice.controllers.queueing.ConditionReasons;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.model.Condition;
import dev.sluice.model.kueue.CheckState;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The effect of queues, gates and checks on a workload. */
class AdmissionStepTest {
  private static final String UNRESERVED = "QuotaReserved=False ";
  private static final String NOT_ADMITTED =
      "Admitted=False NoReservation: The workload has no reservation";
  private static final String UNCHECKED =
      "Admitted=False UnsatisfiedAdmissionChecks: The workload has not all checks ready";
  private static final Condition NO_RESERVATION = ConditionReasons.FINE.withoutReservation(true);
  private static final String GATES = "a.io/x,b.io/y";

  static final List<StepCase> QUEUES =
      List.of(
          when(
              "another client ended the reservation by its condition alone",
              life -> life.status(LifecycleWorld::admitted).status(unreserved("Pending")),
              NOT_ADMITTED),
          when(
              "an admission without the condition",
              life ->
                  life.status(LifecycleWorld::reserved)
                      .status(s -> s.withoutCondition(WorkloadStatus.QUOTA_RESERVED)),
              UNRESERVED + "Pending: Workload is pending evaluation in the scheduling queue"),
          when(
              "its LocalQueue runs again",
              life -> life.status(notRequeued("LocalQueueStopped")),
              "Requeued=True LocalQueueRestarted:"
                  + " The LocalQueue was restarted after being stopped"),
          when(
              "its LocalQueue is still stopped",
              life -> life.status(notRequeued("LocalQueueStopped")).stop(LOCAL_QUEUE, "Hold"),
              UNRESERVED + "Inadmissible: LocalQueue lq is inactive"),
          when(
              "its ClusterQueue runs again",
              life -> life.status(notRequeued("ClusterQueueStopped")),
              "Requeued=True ClusterQueueRestarted:"
                  + " The ClusterQueue was restarted after being stopped"),
          when(
              "its ClusterQueue is still stopped",
              life -> life.status(notRequeued("ClusterQueueStopped")).stop(CLUSTER_QUEUE, "Hold"),
              UNRESERVED + "Inadmissible: ClusterQueue cq is inactive"),
          when(
              "gated",
              life -> life.spec(AdmissionStepTest::gated),
              UNRESERVED + "AdmissionGated: Admission is gated by: " + GATES,
              "Normal AdmissionGated: Workload admission is gated by: " + GATES),
          when(
              "gated by fewer gates: no further event",
              life -> life.spec(AdmissionStepTest::gated).status(unreserved("AdmissionGated")),
              UNRESERVED + "AdmissionGated: Admission is gated by: " + GATES),
          when(
              "the last gate is gone",
              life -> life.status(unreserved("AdmissionGated")),
              UNRESERVED + "Pending: AdmissionGatedBy cleared, waiting for quota reservation",
              "Normal AdmissionGateCleared: Admission gate cleared, workload is now admissible"),
          when(
              "gated and without a queue: the gate is said, once",
              life -> {
                life.spec(AdmissionStepTest::gated).delete(LOCAL_QUEUE).reconcile();
              }),
          when(
              "on hold and without a queue: the hold is said",
              life -> life.status(unreserved("OnHold")).delete(LOCAL_QUEUE)),
          when(
              "its queue wants a check",
              life -> life.checks(List.of(Tree.of("name", "a"))),
              "check a Pending: "),
          when(
              "its queue wants another check",
              life ->
                  life.checks(List.of(Tree.of("name", "b"), Tree.of("name", "a")))
                      .status(check("z", CheckState.READY, "fine"))
                      .status(check("b", CheckState.READY, "fine")),
              "check a Pending: "),
          when(
              "no LocalQueue",
              life -> life.delete(LOCAL_QUEUE),
              UNRESERVED + "Inadmissible: LocalQueue lq doesn't exist"),
          when(
              "no ClusterQueue",
              life -> life.change(LOCAL_QUEUE, spec -> spec.with("clusterQueue", "nix")),
              UNRESERVED + "Inadmissible: ClusterQueue nix doesn't exist"),
          when(
              "ClusterQueue that cannot admit",
              life -> life.setActive(CLUSTER_QUEUE, false),
              UNRESERVED + "Inadmissible: ClusterQueue cq is inactive"),
          when("ClusterQueue that can", life -> life.setActive(CLUSTER_QUEUE, true)),
          when(
              "ClusterQueue that is being deleted",
              life -> life.delete(CLUSTER_QUEUE),
              UNRESERVED + "Inadmissible: ClusterQueue cq is inactive"),
          when(
              "finer words for what is missing",
              life -> life.with(gates(Gate.UNADMITTED_OBSERVABILITY)).delete(LOCAL_QUEUE),
              UNRESERVED + "Misconfigured: LocalQueue lq doesn't exist"),
          when(
              "finer words for what is stopped",
              life -> life.with(gates(Gate.UNADMITTED_OBSERVABILITY)).stop(LOCAL_QUEUE, "Hold"),
              UNRESERVED + "Suspended: LocalQueue lq is inactive"),
          when(
              "a status from the start",
              life ->
                  life.with(gates(Gate.UNADMITTED_OBSERVABILITY, Gate.UNADMITTED_EXPLICIT_STATUS)),
              UNRESERVED
                  + "PendingEvaluation: Workload is pending evaluation in the scheduling queue",
              NOT_ADMITTED));

  /** With detailed reasons, a workload always has the condition Admitted. */
  static final List<StepCase> DETAILED_REASONS =
      List.of(
          when(
              "reserved, a check is pending",
              life ->
                  life.with(fine())
                      .checks(List.of(Tree.of("name", "a")))
                      .status(LifecycleWorld::reserved)
                      .status(check("a", CheckState.PENDING, "")),
              UNCHECKED),
          when(
              "reserved again, a check is pending",
              life ->
                  life.with(gates(Gate.UNADMITTED_OBSERVABILITY))
                      .checks(List.of(Tree.of("name", "a")))
                      .status(LifecycleWorld::reserved)
                      .status(status -> status.with(NO_RESERVATION, LifecycleWorld.START))
                      .status(check("a", CheckState.PENDING, "")),
              UNCHECKED),
          when(
              "the quota is lost before the check answers",
              life ->
                  life.with(fine())
                      .status(unreserved("Pending"))
                      .status(status ->
                          status.with(ConditionReasons.WITHOUT_CHECKS, LifecycleWorld.START)),
              NOT_ADMITTED));

  private static Configuration fine() {
    return gates(Gate.UNADMITTED_OBSERVABILITY, Gate.UNADMITTED_EXPLICIT_STATUS);
  }

  static final List<StepCase> ADMISSION =
      List.of(
          when(
              "reserved without checks",
              life -> life.status(LifecycleWorld::reserved).pass(Duration.ofSeconds(7)),
              "Admitted=True Admitted: The workload is admitted",
              "Normal Admitted: Admitted by ClusterQueue cq, wait time since reservation was 7s"),
          when(
              "reserved, checks are ready",
              life ->
                  life.checks(List.of(Tree.of("name", "a")))
                      .status(LifecycleWorld::reserved)
                      .status(check("a", CheckState.READY, "")),
              "Admitted=True Admitted: The workload is admitted",
              "Normal Admitted: Admitted by ClusterQueue cq, wait time since reservation was 0s"),
          when(
              "reserved, a check is missing",
              life ->
                  life.checks(List.of(Tree.of("name", "a"), Tree.of("name", "b")))
                      .status(LifecycleWorld::reserved)
                      .status(check("a", CheckState.READY, "")),
              "check b Pending: "),
          when(
              "reserved, a check is pending",
              life ->
                  life.checks(List.of(Tree.of("name", "a")))
                      .status(LifecycleWorld::reserved)
                      .status(check("a", CheckState.PENDING, ""))),
          when(
              "reserved, but evicted",
              life ->
                  life.status(s ->
                      WorkloadTransitions.evict(
                          LifecycleWorld.reserved(s), "Preempted", "", "", LifecycleWorld.START))),
          when(
              "reserved, its topology is not settled",
              life ->
                  life.status(LifecycleWorld::reserved)
                      .status(AdmissionStepTest::awaitingTopology)));

  private static UnaryOperator<WorkloadStatus> unreserved(String reason) {
    return status ->
        status.with(
            new Condition(WorkloadStatus.QUOTA_RESERVED, false, reason, "for now"),
            LifecycleWorld.START);
  }

  private static Workload gated(Workload workload) {
    return new Workload(workload.object().withAnnotation(KueueNames.ADMISSION_GATED_BY, GATES));
  }

  private static WorkloadStatus awaitingTopology(WorkloadStatus status) {
    Tree admission = status.tree().tree("admission");
    Tree assignment =
        admission.trees("podSetAssignments").getFirst().with("delayedTopologyRequest", "Pending");
    return new WorkloadStatus(
        status.tree().with("admission", admission.with("podSetAssignments", List.of(assignment))));
  }

  @ParameterizedTest
  @FieldSource({"QUEUES", "DETAILED_REASONS", "ADMISSION"})
  void reconcileAddsTheLines(StepCase c) {
    c.assertReconciled();
  }
}
