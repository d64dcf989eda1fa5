package dev.sluice.controllers.queueing.lifecycle;

import static dev.sluice.controllers.queueing.lifecycle.LifecycleWorld.CLUSTER_QUEUE;
import static dev.sluice.controllers.queueing.lifecycle.LifecycleWorld.LOCAL_QUEUE;
import static dev.sluice.testkit.Worlds.driver;
import static dev.sluice.testkit.Worlds.pass;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.queueing.ConditionReasons;
import dev.sluice.controllers.queueing.WorkloadQueues;
import dev.sluice.controllers.queueing.WorkloadTransitions;
import dev.sluice.model.Condition;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.kueue.CheckState;
import dev.sluice.model.kueue.StopPolicy;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Controller;
import dev.sluice.runtime.ObjectEvent;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Seeds;
import dev.sluice.testkit.Stopped;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A workload under disturbance: queues stop and start, checks change their states, the workload is
 * deactivated and reactivated, pods are ready or not, and the controllers are stopped between any
 * two writes. {@code -Dseed=} replays one seed.
 */
@Timeout(60)
class WorkloadRestartTest {
  private static final int RUNS = 100;
  private static final int STEPS = 40;

  /** More writes than any run needs. */
  private static final int MAX_WRITES = 500;

  static LongStream seeds() {
    return Seeds.from(0, RUNS);
  }

  /** One run with its cluster and invariants. */
  private static final class Run {
    final SplittableRandom random;
    final LifecycleWorld life;
    int evictions;

    Run(long seed) {
      random = new SplittableRandom(seed);
      life = new LifecycleWorld(seed);
      if (random.nextBoolean()) {
        life.byHand();
      }
      life.checks(List.of(Tree.of("name", "a")));
      life.cluster.watch(Kinds.WORKLOAD, this::observe);
    }

    private void observe(ObjectEvent event) {
      WorkloadStatus now = new Workload(event.object()).status();
      assertThat(phases(now)).as("%s", now.tree()).isEqualTo(1);
      boolean was =
          event.before().map(b -> new Workload(b).status().holds("Evicted")).orElse(false);
      boolean became = now.holds(WorkloadStatus.EVICTED) && !was;
      evictions += became ? 1 : 0;
      int counted =
          now.tree().trees("schedulingStats", "evictions").stream()
              .mapToInt(one -> (int) one.whole("count").orElse(0))
              .sum();
      assertThat(counted).as("each eviction counts once").isEqualTo(evictions);
    }

    /** The number of phases that the workload is in. */
    private static long phases(WorkloadStatus status) {
      boolean finished = status.holds(WorkloadStatus.FINISHED);
      boolean reserved = status.holds(WorkloadStatus.QUOTA_RESERVED);
      boolean admitted = status.holds(WorkloadStatus.ADMITTED);
      boolean holds = status.admission().isPresent();
      return Stream.of(
              finished,
              !finished && admitted && reserved && holds,
              !finished && !admitted && reserved && holds,
              !finished && !admitted && !reserved && !holds)
          .filter(phase -> phase)
          .count();
    }

    List<Controller> controllers() {
      return List.of(life.controller(), new Scheduler(life.cluster), new Owner(life.cluster));
    }

    /** Runs new controllers until they are stopped or some time has passed. */
    void turn() {
      boolean whole = random.nextInt(3) == 0;
      life.cluster.stopAfterWrites(whole ? MAX_WRITES : random.nextInt(1, 10));
      try (VirtualDriver driver = driver(life.cluster, random.nextLong(), controllers())) {
        pass(driver, life.cluster, Duration.ofMinutes(random.nextInt(1, 40)));
      } catch (Stopped stopped) {
        // The next run starts from the written objects.
        assertThat(whole).as("writes without end: %s", life.lines()).isFalse();
      } finally {
        life.cluster.neverStop();
      }
    }

    boolean runs() {
      WorkloadStatus status = life.workload().status();
      return status.holds(WorkloadStatus.ADMITTED) && !status.holds(WorkloadStatus.EVICTED);
    }

    void disturb() {
      switch (random.nextInt(6)) {
        case 0 -> life.stop(LOCAL_QUEUE, policy());
        case 1 -> life.stop(CLUSTER_QUEUE, policy());
        case 2 -> life.spec(workload -> workload.withActive(random.nextBoolean()));
        case 3 -> podsReady(random.nextBoolean());
        default -> answer(List.of("Ready", "Ready", "Retry", "Rejected").get(random.nextInt(4)));
      }
    }

    private String policy() {
      return List.of("None", "None", "Hold", "HoldAndDrain").get(random.nextInt(4));
    }

    void podsReady(boolean ready) {
      String reason = ready ? "Started" : "WaitForRecovery";
      life.status(status ->
          status.with(
              new Condition(WorkloadStatus.PODS_READY, ready, reason, ""),
              life.cluster.time().now()));
    }

    /** Sets the state of the check, if the workload has it. */
    void answer(String state) {
      Instant now = life.cluster.time().now();
      UnaryOperator<CheckState> changed =
          check ->
              new CheckState(
                  check.in(state, "judged", now).tree().with("requeueAfterSeconds", 600));
      life.status(status ->
          status.withAdmissionChecks(status.admissionChecks().stream().map(changed).toList()));
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void workloadIsAdmittedInTheEndDespiteRestarts(long seed) {
    var run = new Run(seed);
    for (int step = 0; step < STEPS; step++) {
      run.turn();
      run.disturb();
    }

    run.life.stop(LOCAL_QUEUE, "None").stop(CLUSTER_QUEUE, "None");
    for (int day = 0; day < 9 && !run.runs(); day++) {
      run.life.spec(workload -> workload.withActive(true));
      run.answer("Ready");
      run.podsReady(true);
      try (VirtualDriver driver = driver(run.life.cluster, seed, run.controllers())) {
        pass(driver, run.life.cluster, Duration.ofHours(2));
      }
    }

    assertThat(run.runs()).as("seed %d: %s", seed, run.life.lines()).isTrue();
  }

  /** A controller that reserves quota for every pending workload. */
  private record Scheduler(FakeCluster cluster) implements Controller {
    @Override
    public String name() {
      return "scheduler";
    }

    @Override
    public List<Trigger> triggers() {
      return List.of(
          Trigger.on(Kinds.WORKLOAD),
          Trigger.onAny(Kinds.LOCAL_QUEUE, LifecycleWorld.WORKLOAD),
          Trigger.onAny(Kinds.CLUSTER_QUEUE, LifecycleWorld.WORKLOAD));
    }

    @Override
    public Outcome reconcile(ObjectKey key) {
      var workload = new Workload(cluster.require(key));
      WorkloadStatus status = workload.status();
      WorkloadQueues queues = WorkloadQueues.of(workload, cluster);
      boolean open =
          queues.localQueueStopPolicy() == StopPolicy.NONE
              && queues.clusterQueueStopPolicy() == StopPolicy.NONE;
      boolean failed =
          status.admissionChecks().stream()
              .anyMatch(check -> List.of("Retry", "Rejected").contains(check.state()));
      if (open
          && !failed
          && workload.active()
          && !workload.reserved()
          && !status.denies(WorkloadStatus.REQUEUED)
          && status.requeueAt().isEmpty()) {
        WorkloadStatus reserved =
            WorkloadTransitions.reserve(
                status, LifecycleWorld.admission("spot"), cluster.time().now());
        cluster.patchStatus(Kinds.WORKLOAD, workload.object(), reserved.tree());
      }
      return Outcome.DONE;
    }
  }

  /** A controller that stops jobs at once, and releases their quota. */
  private record Owner(FakeCluster cluster) implements Controller {
    @Override
    public String name() {
      return "owner";
    }

    @Override
    public List<Trigger> triggers() {
      return List.of(Trigger.on(Kinds.WORKLOAD));
    }

    @Override
    public Outcome reconcile(ObjectKey key) {
      var workload = new Workload(cluster.require(key));
      WorkloadStatus status = workload.status();
      boolean mine = !workload.object().owners().isEmpty();
      if (mine && workload.reserved() && status.holds(WorkloadStatus.EVICTED)) {
        WorkloadStatus released =
            WorkloadTransitions.releaseEvicted(
                status, ConditionReasons.PLAIN, cluster.time().now());
        cluster.patchStatus(Kinds.WORKLOAD, workload.object(), released.tree());
      }
      return Outcome.DONE;
    }
  }
}
