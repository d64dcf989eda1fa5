package dev.sluice.controllers.queueing.lifecycle;

import static dev.sluice.controllers.queueing.lifecycle.LifecycleWorld.CLUSTER_QUEUE;
import static dev.sluice.controllers.queueing.lifecycle.LifecycleWorld.LOCAL_QUEUE;
import static dev.sluice.controllers.queueing.lifecycle.LifecycleWorld.check;
import static dev.sluice.controllers.queueing.lifecycle.LifecycleWorld.evicted;
import static dev.sluice.controllers.queueing.lifecycle.StepCase.when;

import dev.sluice.model.kueue.CheckState;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The eviction of workloads, and the release of their quota. */
class EvictionStepTest {
  private static final String UNRESERVED = "QuotaReserved=False ";
  private static final String NOT_ADMITTED =
      "Admitted=False NoReservation: The workload has no reservation";

  static final List<StepCase> CASES =
      List.of(
          when(
              "rejected",
              life ->
                  life.status(LifecycleWorld::admitted)
                      .checks(one())
                      .status(failed("a", "Rejected")),
              "DeactivationTarget=True AdmissionCheck:"
                  + " AdmissionCheck in Rejected state: \"a\" (no nodes)",
              "Warning AdmissionCheckRejected:"
                  + " Deactivated due to AdmissionCheck in Rejected state: \"a\" (no nodes)"),
          when(
              "rejected by several",
              life ->
                  life.checks(List.of(Tree.of("name", "a"), Tree.of("name", "b")))
                      .status(LifecycleWorld::reserved)
                      .status(check("b", CheckState.REJECTED, ""))
                      .status(check("a", CheckState.REJECTED, "no")),
              "DeactivationTarget=True AdmissionCheck:"
                  + " AdmissionChecks in Rejected state: \"a\" (no); \"b\"",
              "Warning AdmissionCheckRejected:"
                  + " Deactivated due to AdmissionChecks in Rejected state: \"a\" (no); \"b\""),
          when(
              "retried while it runs",
              life ->
                  life.status(LifecycleWorld::admitted).checks(one()).status(failed("a", "Retry")),
              "Evicted=True AdmissionCheck:"
                  + " Evicted due to AdmissionCheck in Retry state: \"a\" (no nodes)",
              "check a Pending: Reset to Pending after eviction. Previously: Retry",
              "Normal EvictedDueToAdmissionCheck:"
                  + " Evicted due to AdmissionCheck in Retry state: \"a\" (no nodes)"),
          when(
              "a retry that waits does not hold quota meanwhile",
              life -> {
                life.status(LifecycleWorld::reserved)
                    .checks(one())
                    .status(retry("a", 600))
                    .reconcile();
              },
              "Evicted=True AdmissionCheck:"
                  + " Evicted due to AdmissionCheck in Retry state: \"a\"",
              "check a Pending: Reset to Pending after eviction. Previously: Retry",
              "Normal EvictedDueToAdmissionCheck:"
                  + " Evicted due to AdmissionCheck in Retry state: \"a\""),
          when(
              "LocalQueue drained",
              life -> life.status(LifecycleWorld::admitted).stop(LOCAL_QUEUE, "HoldAndDrain"),
              "Evicted=True LocalQueueStopped: The LocalQueue is stopped",
              "Normal EvictedDueToLocalQueueStopped: The LocalQueue is stopped"),
          when(
              "ClusterQueue drained",
              life -> life.status(LifecycleWorld::admitted).stop(CLUSTER_QUEUE, "HoldAndDrain"),
              "Evicted=True ClusterQueueStopped: The ClusterQueue is stopped",
              "Normal EvictedDueToClusterQueueStopped: The ClusterQueue is stopped"),
          when(
              "drained, but evicted already",
              life -> life.status(evicted("Preempted")).stop(CLUSTER_QUEUE, "HoldAndDrain")),
          when(
              "held queues let what runs run",
              life ->
                  life.status(LifecycleWorld::admitted)
                      .stop(LOCAL_QUEUE, "Hold")
                      .stop(CLUSTER_QUEUE, "Hold"),
              "again in PT30M"),
          when(
              "deleted queues let what runs run",
              life ->
                  life.status(LifecycleWorld::admitted).delete(LOCAL_QUEUE).delete(CLUSTER_QUEUE),
              "again in PT30M"),
          when(
              "not admitted, LocalQueue held",
              life -> waitingForCheck(life).stop(LOCAL_QUEUE, "Hold"),
              UNRESERVED + "Inadmissible: LocalQueue lq is stopped",
              "admission none"),
          when(
              "not admitted, LocalQueue gone",
              life -> waitingForCheck(life).delete(LOCAL_QUEUE),
              UNRESERVED + "Inadmissible: LocalQueue lq is terminating or missing",
              "admission none"),
          when(
              "not admitted, ClusterQueue held",
              life -> waitingForCheck(life).stop(CLUSTER_QUEUE, "HoldAndDrain"),
              UNRESERVED + "Inadmissible: ClusterQueue cq is stopped",
              "admission none"),
          when(
              "not admitted, ClusterQueue going",
              life -> waitingForCheck(life).delete(CLUSTER_QUEUE),
              UNRESERVED + "Inadmissible: ClusterQueue cq is terminating or missing",
              "admission none"),
          when("evicted: its job gives the quota back", life -> life.status(evicted("Preempted"))),
          when(
              "evicted and made by hand: quota returns here",
              life -> life.byHand().status(evicted("Preempted")).pass(Duration.ofSeconds(5)),
              UNRESERVED + "Pending: because",
              NOT_ADMITTED,
              "Requeued=True Preempted: because",
              "admission none",
              "ran PT5S"),
          when(
              "evicted, made by hand, with backoff: quota returns first",
              life ->
                  life.byHand()
                      .status(evicted("PodsReadyTimeout"))
                      .status(s -> s.withRequeue(1, LifecycleWorld.START.plusSeconds(60))),
              UNRESERVED + "Pending: because",
              NOT_ADMITTED,
              "Requeued=False PodsReadyTimeout: because",
              "admission none"));

  private static UnaryOperator<WorkloadStatus> retry(String name, int seconds) {
    return status -> {
      WorkloadStatus with = check(name, CheckState.RETRY, "").apply(status);
      var checks = new ArrayList<>(with.admissionChecks());
      checks.add(new CheckState(checks.removeLast().tree().with("requeueAfterSeconds", seconds)));
      return with.withAdmissionChecks(checks);
    };
  }

  private static UnaryOperator<WorkloadStatus> failed(String name, String state) {
    return check(name, state, "no nodes");
  }

  private static List<Tree> one() {
    return List.of(Tree.of("name", "a"));
  }

  private static LifecycleWorld waitingForCheck(LifecycleWorld life) {
    return life.checks(one())
        .status(LifecycleWorld::reserved)
        .status(check("a", CheckState.PENDING, ""));
  }

  /**
   * A check that changes from Ready to Retry evicts even a running workload:
   * docs/specification/workload-lifecycle.md#checks-that-fail.
   */
  @ParameterizedTest
  @FieldSource("CASES")
  void reconcileAddsTheLines(StepCase c) {
    c.assertReconciled();
  }
}
