package dev.sluice.controllers.queueing.lifecycle;

import static dev.sluice.controllers.queueing.lifecycle.LifecycleWorld.waiting;
import static dev.sluice.controllers.queueing.lifecycle.StepCase.when;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.configuration.Configuration.WaitForPodsReady;
import dev.sluice.controllers.queueing.ConditionReasons;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.model.Condition;
import dev.sluice.model.kueue.WorkloadStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The timeouts of workloads: PodsReady and the maximum execution time. */
class DeadlineStepTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final String TIMEOUT = "Exceeded the PodsReady timeout default/wl";

  private static Optional<WaitForPodsReady> rules(
      Optional<Duration> recovery, OptionalInt backoffLimit) {
    return Optional.of(
        new WaitForPodsReady(
            Duration.ofMinutes(5),
            false,
            recovery,
            true,
            backoffLimit,
            MINUTE,
            Duration.ofHours(1)));
  }

  private static final Optional<WaitForPodsReady> RULES =
      rules(Optional.of(Duration.ofMinutes(2)), OptionalInt.of(3));
  private static final Optional<WaitForPodsReady> WITHOUT_RECOVERY =
      rules(Optional.empty(), OptionalInt.empty());

  static final List<StepCase> READY =
      List.of(
          when(
              "waitForPodsReady is disabled",
              life -> life.with(waiting(Optional.empty())).status(LifecycleWorld::admitted)),
          when(
              "the clock starts with admission",
              life -> life.with(waiting(RULES)).status(LifecycleWorld::admitted).pass(MINUTE),
              "again in PT4M"),
          when(
              "the clock of a start ignores when that was said",
              life ->
                  life.with(waiting(RULES))
                      .status(LifecycleWorld::admitted)
                      .pass(MINUTE)
                      .status(podsReady(life, false, "WaitForStart")),
              "again in PT4M"),
          when(
              "too late",
              life ->
                  life.with(waiting(RULES))
                      .status(LifecycleWorld::admitted)
                      .pass(Duration.ofMinutes(5)),
              "Evicted=True PodsReadyTimeout: " + TIMEOUT,
              "requeues {\"count\":1,\"requeueAt\":\"2030-01-01T00:06:00Z\"}",
              "Normal EvictedDueToPodsReadyTimeout: " + TIMEOUT),
          when(
              "too late for the third time",
              life ->
                  life.with(waiting(RULES))
                      .status(LifecycleWorld::admitted)
                      .status(s -> s.withRequeue(2, LifecycleWorld.START))
                      .pass(Duration.ofMinutes(5)),
              "Evicted=True PodsReadyTimeout: " + TIMEOUT,
              "requeues {\"count\":3,\"requeueAt\":\"2030-01-01T00:09:00Z\"}",
              "Normal EvictedDueToPodsReadyTimeout: " + TIMEOUT),
          when(
              "a later moment stays",
              life ->
                  life.with(waiting(RULES))
                      .status(LifecycleWorld::admitted)
                      .status(s -> s.withRequeue(0, LifecycleWorld.START.plusSeconds(86_400)))
                      .pass(Duration.ofMinutes(5)),
              "Evicted=True PodsReadyTimeout: " + TIMEOUT,
              "requeues {\"count\":1,\"requeueAt\":\"2030-01-02T00:00:00Z\"}",
              "Normal EvictedDueToPodsReadyTimeout: " + TIMEOUT),
          when(
              "too late once too often",
              life ->
                  life.with(waiting(RULES))
                      .status(LifecycleWorld::admitted)
                      .status(s -> s.withRequeue(3, LifecycleWorld.START))
                      .pass(Duration.ofMinutes(5)),
              "DeactivationTarget=True RequeuingLimitExceeded:"
                  + " exceeding the maximum number of re-queuing retries"),
          when(
              "ready",
              life ->
                  life.with(waiting(RULES))
                      .status(LifecycleWorld::admitted)
                      .status(podsReady(life, true, "Started"))
                      .pass(Duration.ofHours(5))),
          when(
              "the clock of a recovery starts when pods are missed",
              life ->
                  life.with(waiting(RULES))
                      .status(LifecycleWorld::admitted)
                      .pass(Duration.ofHours(5))
                      .status(podsReady(life, false, "WaitForRecovery"))
                      .pass(MINUTE),
              "again in PT1M"),
          when(
              "not recovered",
              life ->
                  life.with(waiting(RULES))
                      .status(LifecycleWorld::admitted)
                      .status(podsReady(life, false, "WaitForRecovery"))
                      .pass(Duration.ofMinutes(2)),
              "Evicted=True PodsReadyTimeout: " + TIMEOUT,
              "requeues {\"count\":1,\"requeueAt\":\"2030-01-01T00:03:00Z\"}",
              "Normal EvictedDueToPodsReadyTimeout: " + TIMEOUT),
          when(
              "recovery may take forever",
              life ->
                  life.with(waiting(WITHOUT_RECOVERY))
                      .status(LifecycleWorld::admitted)
                      .status(podsReady(life, false, "WaitForRecovery"))
                      .pass(Duration.ofDays(9))),
          when(
              "evicted already",
              life -> life.status(LifecycleWorld.evicted("Preempted")).pass(Duration.ofDays(1))),
          when(
              "only what is admitted is timed",
              life ->
                  life.status(s -> s.with(unready(), LifecycleWorld.START))
                      .pass(Duration.ofDays(1))));

  static final List<StepCase> RUN =
      List.of(
          when(
              "may run for a while",
              life -> limited(life, 100).pass(Duration.ofSeconds(40)),
              "again in PT1M"),
          when(
              "what it ran before counts",
              life ->
                  limited(life, 100)
                      .status(s -> s.withAccumulatedExecutionTime(Duration.ofSeconds(50)))
                      .pass(Duration.ofSeconds(40)),
              "again in PT10S"),
          when(
              "ran for too long",
              life ->
                  limited(life, 100)
                      .status(s -> s.withAccumulatedExecutionTime(Duration.ofSeconds(50)))
                      .pass(Duration.ofSeconds(50)),
              "DeactivationTarget=True MaximumExecutionTimeExceeded:"
                  + " exceeding the maximum execution time",
              "ran PT0S",
              "Warning MaximumExecutionTimeExceeded: The maximum execution time (100s) exceeded"),
          when(
              "the earlier clock rings first",
              life ->
                  life.with(waiting(RULES))
                      .spec(wl -> wl.withMaximumExecutionTime(Duration.ofMinutes(9)))
                      .status(LifecycleWorld::admitted),
              "again in PT5M"));

  private static LifecycleWorld limited(LifecycleWorld life, long seconds) {
    return life.with(waiting(Optional.empty()))
        .spec(wl -> wl.withMaximumExecutionTime(Duration.ofSeconds(seconds)))
        .status(LifecycleWorld::admitted);
  }

  private static UnaryOperator<WorkloadStatus> podsReady(
      LifecycleWorld life, boolean ready, String reason) {
    return status ->
        status.with(
            new Condition(WorkloadStatus.PODS_READY, ready, reason, ""), life.cluster.time().now());
  }

  private static Condition unready() {
    return new Condition(WorkloadStatus.PODS_READY, false, "WaitForStart", "");
  }

  @ParameterizedTest
  @FieldSource({"READY", "RUN"})
  void reconcileAddsTheLines(StepCase c) {
    c.assertReconciled();
  }

  @Test
  void evictionsAreCountedByTheirCause() {
    var life =
        new LifecycleWorld()
            .with(waiting(RULES))
            .status(LifecycleWorld::admitted)
            .pass(Duration.ofMinutes(5));
    life.reconcile();

    WorkloadStatus status = life.workload().status();
    assertThat(status.evictions("PodsReadyTimeout", "WaitForStart")).isEqualTo(1);
    assertThat(status.evictions("PodsReadyTimeout", "WaitForRecovery")).isZero();
  }

  /** The numbers of docs/specification/workload-lifecycle.md#example-back-off. */
  @Test
  void backoffDoublesUpToItsLimit() {
    var random = new SplittableRandom(1);
    List<Long> seconds =
        IntStream.rangeClosed(1, 8)
            .mapToObj(n -> RequeueBackoff.wait(n, MINUTE, Duration.ofHours(1), random).toSeconds())
            .toList();

    assertThat(seconds).containsExactly(60L, 120L, 240L, 480L, 960L, 1920L, 3600L, 3600L);
  }

  @Test
  void jitterIsAtMostATenThousandth() {
    var random = new SplittableRandom(1);
    for (int i = 0; i < 1000; i++) {
      Duration wait =
          RequeueBackoff.wait(1, Duration.ofSeconds(100), MINUTE.multipliedBy(60), random);
      assertThat(wait).isBetween(Duration.ofSeconds(100), Duration.ofMillis(100_010));
    }
    assertThat(RequeueBackoff.wait(Integer.MAX_VALUE, Duration.ZERO, MINUTE, random)).isZero();
    assertThat(RequeueBackoff.wait(Integer.MAX_VALUE, MINUTE, MINUTE, random).toSeconds())
        .isEqualTo(60);
  }

  @Test
  void executionTimeIsResetWhenAWorkloadIsReactivated() {
    var life = limited(new LifecycleWorld(), 100).pass(Duration.ofSeconds(100));
    life.reconcile();
    life.reconcile();
    assertThat(life.workload().active()).isFalse();
    life.reconcile();
    life.status(s ->
        WorkloadTransitions.releaseEvicted(s, ConditionReasons.PLAIN, life.cluster.time().now()));

    assertThat(life.workload().status().accumulatedExecutionTime()).isZero();
    assertThat(life.spec(wl -> wl.withActive(true)).reconcile())
        .containsExactly("Requeued=True Reactivated: The workload was reactivated");
  }
}
