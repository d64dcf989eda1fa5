package dev.sluice.controllers.queueing.lifecycle;

import static dev.sluice.controllers.queueing.lifecycle.LifecycleWorld.CLUSTER_QUEUE;
import static dev.sluice.controllers.queueing.lifecycle.LifecycleWorld.WORKLOAD;
import static dev.sluice.controllers.queueing.lifecycle.LifecycleWorld.keeping;
import static dev.sluice.controllers.queueing.lifecycle.StepCase.when;

import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.model.Condition;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The end of workloads, and their retention. */
class CompletionStepTest {

  static final List<StepCase> PLAIN =
      List.of(
          when("what waits needs nothing", life -> {}),
          when(
              "what runs needs a clock only",
              life -> life.status(LifecycleWorld::admitted),
              "again in PT30M"),
          when(
              "what runs and is ready needs nothing",
              life ->
                  life.status(LifecycleWorld::admitted)
                      .status(status -> ready(status, true, "Started"))));

  static final List<StepCase> END =
      List.of(
          when("made by hand, it is no orphan", LifecycleWorld::byHand),
          when(
              "made by hand and deleted",
              life -> life.byHand().delete(WORKLOAD),
              "Finished=True OwnerNotFound: The workload's owner no longer exists"),
          when(
              "made by hand, deleted and finished: it goes",
              life -> life.byHand().status(CompletionStepTest::finished).delete(WORKLOAD),
              "gone"),
          when(
              "made by hand and finished: nothing needs it",
              life -> life.byHand().status(CompletionStepTest::finished),
              "finalizers []"),
          when(
              "it lost its owner, but not the label of it",
              life -> life.spec(wl -> new Workload(wl.object().withoutMetadata("ownerReferences"))),
              "Finished=True OwnerNotFound: The workload's owner no longer exists"),
          when(
              "finished, its job keeps the finalizer",
              life -> life.status(CompletionStepTest::finished)),
          when(
              "finished things are kept for a while",
              life -> life.with(keeping(Duration.ofHours(1))).status(s -> finished(s)),
              "again in PT1H"),
          when(
              "kept long enough: first it is let go",
              life ->
                  life.with(keeping(Duration.ofHours(1)))
                      .status(CompletionStepTest::finished)
                      .pass(Duration.ofHours(1)),
              "finalizers []"),
          when(
              "kept long enough: then it is deleted",
              life ->
                  life.with(keeping(Duration.ZERO))
                      .status(CompletionStepTest::finished)
                      .spec(wl -> new Workload(wl.object().withoutFinalizer(KueueNames.IN_USE))),
              "gone",
              "Normal Deleted: Deleted finished workload due to elapsed retention"),
          when(
              "nothing happens to what is finished",
              life ->
                  life.status(LifecycleWorld::admitted)
                      .status(CompletionStepTest::finished)
                      .spec(wl -> wl.withActive(false))
                      .stop(CLUSTER_QUEUE, "HoldAndDrain")));

  private static WorkloadStatus finished(WorkloadStatus status) {
    return WorkloadTransitions.finish(status, "Succeeded", "done", LifecycleWorld.START);
  }

  static WorkloadStatus ready(WorkloadStatus status, boolean ready, String reason) {
    return status.with(
        new Condition(WorkloadStatus.PODS_READY, ready, reason, ""), LifecycleWorld.START);
  }

  @ParameterizedTest
  @FieldSource({"PLAIN", "END"})
  void reconcileAddsTheLines(StepCase c) {
    c.assertReconciled();
  }
}
