package dev.sluice.controllers.queueing.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.controllers.assembly.Integrations;
import dev.sluice.controllers.jobs.JobController;
import dev.sluice.controllers.queueing.integration.pod.PodGroupMembers;
import dev.sluice.model.Kinds;
import dev.sluice.model.batch.Job;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.kueue.KueueNames;
import dev.sluice.model.kueue.Workload;
import dev.sluice.model.kueue.WorkloadStatus;
import dev.sluice.runtime.Controller;
import dev.sluice.testkit.Seeds;
import dev.sluice.testkit.Stopped;
import dev.sluice.testkit.Worlds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Queued jobs under disturbance: workloads are admitted and evicted, pods end, and the controllers
 * are stopped between any two writes. {@code -Dseed=} replays one seed.
 */
@Timeout(60)
class JobReconcilerRestartTest {
  private static final int RUNS = 60;
  private static final int MAX_STEPS = 2000;

  private final QueuedWorld world = new QueuedWorld();

  static LongStream seeds() {
    return Seeds.from(0, RUNS);
  }

  /** Fails if pods run without reserved quota. */
  private void assertNoPodsWithoutQuota(LongSupplier running) {
    world.cluster.watch(
        Kinds.WORKLOAD,
        event -> {
          boolean covered =
              world.workloads().stream().anyMatch(one -> one.reserved() || one.finished());
          long pods = running.getAsLong();
          assertThat(covered || pods == 0).as("%d pods run without quota", pods).isTrue();
        });
  }

  private long ungated() {
    return Worlds.pods(world.cluster).stream()
        .filter(pod -> pod.isActive() && !pod.spec().hasSchedulingGates())
        .count();
  }

  /** The active pods in the Job's status, which alone decides when its quota is released. */
  private long activeOfJob() {
    return world.cluster.list(Kinds.JOB).stream()
        .map(job -> new Job(job).status())
        .mapToLong(status -> status.active() + status.terminating())
        .sum();
  }

  /** Runs new controllers until they are stopped or nothing happens for a while. */
  private void runControllers(SplittableRandom random) {
    var controllers = new ArrayList<Controller>();
    controllers.addAll(Integrations.controllers(world.cluster, world.configuration));
    controllers.add(new JobController(world.cluster));
    world.cluster.stopAfterWrites(random.nextInt(1, 12));
    try (var driver = Worlds.driver(world.cluster, random.nextLong(), controllers)) {
      Worlds.pass(driver, world.cluster, Duration.ofSeconds(random.nextInt(1, 40)));
    } catch (Stopped stopped) {
      // The next run starts from the written objects.
    } finally {
      world.cluster.neverStop();
    }
  }

  /** Sometimes moves a Job that does not run to another queue. */
  private void move(SplittableRandom random) {
    if (world.job("j").isSuspended() && random.nextInt(6) == 0) {
      String queue = "queue-" + random.nextInt(3);
      world.updateJob(job -> job.withLabel(KueueNames.QUEUE_NAME, queue));
    }
  }

  /** Admits pending workloads, sometimes evicts running ones, and lets pods succeed. */
  private void disturb(SplittableRandom random) {
    for (Workload workload : world.workloads()) {
      boolean evicted = workload.status().holds(WorkloadStatus.EVICTED);
      boolean gone = workload.finished() || workload.object().isDeleting();
      boolean incomplete = workload.status().holds(WorkloadStatus.WAITING_FOR_REPLACEMENT_PODS);
      if (!gone && !workload.reserved() && !incomplete) {
        world.admit(workload);
      } else if (!gone && workload.admitted() && !evicted && random.nextInt(6) == 0) {
        world.evict("Preempted");
      }
    }
    Worlds.pods(world.cluster).stream()
        .filter(pod -> pod.isActive() && !pod.spec().hasSchedulingGates())
        .filter(pod -> random.nextInt(3) == 0)
        .forEach(pod -> Worlds.setPhase(world.cluster, pod, Pod.Phase.SUCCEEDED));
  }

  private boolean finished() {
    return world.workloads().stream()
        .anyMatch(workload -> workload.finished() && workload.object().finalizers().isEmpty());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void jobFinishesWithItsWorkloadDespiteRestarts(long seed) {
    var random = new SplittableRandom(seed);
    assertNoPodsWithoutQuota(this::activeOfJob);
    world.createJob(
        "j",
        job -> job.with(List.of("spec", "parallelism"), 2).with(List.of("spec", "completions"), 5));
    for (int step = 0; step < MAX_STEPS && !finished(); step++) {
      runControllers(random);
      disturb(random);
      move(random);
    }

    assertThat(world.job("j").isFinished()).as("seed %d", seed).isTrue();
    assertThat(world.workload().status().reason(WorkloadStatus.FINISHED)).isEqualTo("Succeeded");
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void groupFinishesWithItsWorkloadDespiteRestarts(long seed) {
    var random = new SplittableRandom(seed);
    assertNoPodsWithoutQuota(this::ungated);
    int created = 0;
    for (int step = 0; step < MAX_STEPS && !finished(); step++) {
      long alive = Worlds.pods(world.cluster).stream().filter(PodGroupMembers::counts).count();
      if (alive < 3) {
        world.createMember("p" + created++, "g", 3);
      }
      runControllers(random);
      disturb(random);
    }

    assertThat(world.workload().status().reason(WorkloadStatus.FINISHED))
        .as("seed %d", seed)
        .isEqualTo("Succeeded");
    assertThat(Worlds.pods(world.cluster))
        .filteredOn(pod -> pod.phase() == Pod.Phase.SUCCEEDED)
        .hasSize(3);
    runControllers(random);
    world.run();
    assertThat(Worlds.pods(world.cluster))
        .noneMatch(pod -> pod.object().hasFinalizer(KueueNames.MANAGED_FINALIZER));
  }
}
