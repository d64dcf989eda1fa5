package dev.sluice.controllers.queueing.lifecycle;

import static dev.sluice.controllers.queueing.lifecycle.LifecycleWorld.check;
import static dev.sluice.controllers.queueing.lifecycle.LifecycleWorld.evicted;
import static dev.sluice.controllers.queueing.lifecycle.LifecycleWorld.notRequeued;
import static dev.sluice.controllers.queueing.lifecycle.StepCase.when;

import dev.sluice.controllers.queueing.ConditionReasons;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.model.kueue.CheckState;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The deactivation, backoff and requeuing of workloads. */
class ActivationStepTest {

  static final List<StepCase> CASES =
      List.of(
          when(
              "a retry says when",
              life -> life.status(LifecycleWorld::reserved).status(retry("a", 60)),
              "requeues {\"requeueAt\":\"2030-01-01T00:01:00Z\"}"),
          when(
              "the latest retry counts",
              life ->
                  life.status(LifecycleWorld::reserved)
                      .status(s -> s.withRequeue(2, LifecycleWorld.START.plusSeconds(30)))
                      .status(retry("a", 20))
                      .status(retry("b", 90)),
              "requeues {\"count\":2,\"requeueAt\":\"2030-01-01T00:01:30Z\"}"),
          when(
              "a target switches off",
              life ->
                  life.status(s ->
                      WorkloadTransitions.deactivate(s, "Why", "because", LifecycleWorld.START)),
              "active false"),
          when(
              "backoff is waited for",
              life ->
                  life.status(notRequeued("PodsReadyTimeout"))
                      .status(s -> s.withRequeue(1, LifecycleWorld.START.plusSeconds(60))),
              "again in PT1M"),
          when(
              "backoff of pods is over",
              life ->
                  life.status(notRequeued("PodsReadyTimeout"))
                      .status(s -> s.withRequeue(1, LifecycleWorld.START)),
              "Requeued=True BackoffFinished: The workload backoff was finished",
              "requeues {\"count\":1}"),
          when(
              "backoff of checks that named no time is over at once",
              life -> life.status(notRequeued("AdmissionCheck")),
              "Requeued=True BackoffFinished: The workload backoff was finished"),
          when(
              "a moment that is over is forgotten",
              life -> life.status(s -> s.withRequeue(1, LifecycleWorld.START)),
              "requeues {\"count\":1}"),
          when(
              "a retry that came after the quota was gone does not block for good",
              life ->
                  life.checks(List.of(Tree.of("name", "a")))
                      .status(retry("a", 60))
                      .status(s -> s.withRequeueAt(LifecycleWorld.START.plusSeconds(60)))
                      .pass(Duration.ofSeconds(60)),
              "check a Pending: Reset to Pending after backoff. Previously: Retry",
              "requeues {}"),
          when(
              "switched on again",
              life -> life.status(notRequeued("Deactivated")),
              "Requeued=True Reactivated: The workload was reactivated"),
          when(
              "switched on again by people after a controller switched it off",
              life -> life.status(notRequeued("DeactivatedDueToAdmissionCheck")),
              "Requeued=True Reactivated: The workload was reactivated"),
          when(
              "preempted, it may queue anyway",
              life ->
                  life.status(evicted("Preempted"))
                      .status(s ->
                          WorkloadTransitions.releaseEvicted(
                              s, ConditionReasons.PLAIN, LifecycleWorld.START))),
          when(
              "deactivated while it is pending: no event",
              life -> life.spec(wl -> wl.withActive(false)),
              "Evicted=True Deactivated: The workload is deactivated"),
          when(
              "switched off while it runs",
              life -> life.status(LifecycleWorld::admitted).spec(wl -> wl.withActive(false)),
              "Evicted=True Deactivated: The workload is deactivated",
              "Normal EvictedDueToDeactivated: The workload is deactivated"),
          when(
              "switched off by a target",
              life ->
                  life.status(LifecycleWorld::admitted)
                      .status(s -> s.withRequeue(3, LifecycleWorld.START))
                      .status(s ->
                          WorkloadTransitions.deactivate(s, "Why", "because", LifecycleWorld.START))
                      .spec(wl -> wl.withActive(false)),
              "Evicted=True DeactivatedDueToWhy: The workload is deactivated due to because",
              "requeues {}",
              "Normal EvictedDueToDeactivatedDueToWhy:"
                  + " The workload is deactivated due to because"),
          when(
              "switched off, no check postpones anything",
              life ->
                  life.checks(List.of(Tree.of("name", "a")))
                      .status(evicted("Deactivated"))
                      .status(retry("a", 60))
                      .spec(wl -> wl.withActive(false))),
          when(
              "switched off after it was evicted: only its backoff goes",
              life ->
                  life.status(evicted("Preempted"))
                      .status(s -> s.withRequeue(3, LifecycleWorld.START))
                      .spec(wl -> wl.withActive(false)),
              "requeues {}"));

  private static UnaryOperator<WorkloadStatus> retry(String name, int seconds) {
    return status -> {
      WorkloadStatus with = check(name, CheckState.RETRY, "").apply(status);
      var checks = new ArrayList<>(with.admissionChecks());
      checks.add(new CheckState(checks.removeLast().tree().with("requeueAfterSeconds", seconds)));
      return with.withAdmissionChecks(checks);
    };
  }

  /**
   * Of several checks in the state Retry, the latest time counts:
   * docs/specification/workload-lifecycle.md#when-a-retry-is-due.
   */
  @ParameterizedTest
  @FieldSource("CASES")
  void reconcileAddsTheLines(StepCase c) {
    c.assertReconciled();
  }
}
