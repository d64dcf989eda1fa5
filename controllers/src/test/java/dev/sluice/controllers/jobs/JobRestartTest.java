package dev.sluice.controllers.jobs;

import static dev.sluice.testkit.Worlds.driver;
import static dev.sluice.testkit.Worlds.job;
import static dev.sluice.testkit.Worlds.pass;
import static dev.sluice.testkit.Worlds.pods;
import static dev.sluice.testkit.Worlds.setPhase;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.model.Kinds;
import dev.sluice.model.batch.Job;
import dev.sluice.model.batch.JobPod;
import dev.sluice.model.batch.JobStatus;
import dev.sluice.model.core.pod.Pod;
import dev.sluice.model.tree.Tree;
import dev.sluice.runtime.Deletion;
import dev.sluice.runtime.ObjectEvent;
import dev.sluice.runtime.VirtualDriver;
import dev.sluice.testkit.FakeCluster;
import dev.sluice.testkit.Seeds;
import dev.sluice.testkit.Stopped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random Jobs in a hostile world: pods succeed, fail and are deleted, and the controller is stopped
 * between any two writes. Replays one seed with {@code -Dseed=}.
 */
@Timeout(60)
class JobRestartTest {
  private static final int RUNS = 150;
  private static final int MAX_STEPS = 3000;

  static LongStream seeds() {
    return Seeds.from(0, RUNS);
  }

  /** Whether pods have indexes, and these limits of their own. */
  private enum Mode {
    PLAIN,
    INDEXED,
    LIMITED_INDEXES
  }

  /** One run: the world, and what must come out of it. */
  private static final class Run {
    final Mode mode;
    final FakeCluster cluster;
    final SplittableRandom random;
    final long parallelism;
    final long completions;
    final long backoffLimit;
    final TreeSet<String> succeeded = new TreeSet<>();
    final TreeSet<String> failed = new TreeSet<>();
    final List<String> failedIndexes = new ArrayList<>();

    Run(long seed) {
      random = new SplittableRandom(seed);
      cluster = new FakeCluster(seed);
      parallelism = random.nextInt(1, 6);
      completions = random.nextInt(1, 12);
      mode = List.of(Mode.values()).get(random.nextInt(3));
      backoffLimit = mode == Mode.LIMITED_INDEXES ? 1000 : random.nextInt(0, 8);
      cluster.watch(Kinds.POD, this::check);
      cluster.create(Kinds.JOB, job("j", this::spec));
    }

    private Tree spec(Tree base) {
      Tree spec =
          base.with("parallelism", parallelism)
              .with("completions", completions)
              .with("backoffLimit", backoffLimit);
      return switch (mode) {
        case PLAIN -> spec;
        case INDEXED -> spec.with("completionMode", "Indexed");
        case LIMITED_INDEXES ->
            spec.with("completionMode", "Indexed").with("backoffLimitPerIndex", 1000);
      };
    }

    /** What holds at every moment. */
    private void check(ObjectEvent event) {
      List<Pod> active = pods(cluster).stream().filter(Pod::isActive).toList();
      assertThat(active).hasSizeLessThanOrEqualTo((int) parallelism);
      if (mode != Mode.PLAIN) {
        assertThat(active).extracting(JobRestartTest::index).doesNotHaveDuplicates();
        assertThat(active)
            .extracting(JobRestartTest::index)
            .allMatch(index -> !succeeded.contains(index));
      }
      if (mode == Mode.LIMITED_INDEXES && event.before().isEmpty()) {
        var pod = new Pod(event.object());
        assertThat(new JobPod(pod).failures())
            .isEqualTo(failedIndexes.stream().filter(index(pod)::equals).count());
      }
    }

    private void succeeds(Pod pod) {
      succeeded.add(mode == Mode.PLAIN ? pod.uid() : index(pod));
    }

    private void fails(Pod pod) {
      failed.add(pod.uid());
      failedIndexes.add(index(pod));
    }

    /** Turns a new controller until it is stopped or nothing happens for a while. */
    void turn() {
      cluster.stopAfterWrites(random.nextInt(1, 12));
      try (VirtualDriver driver =
          driver(cluster, random.nextLong(), List.of(new JobController(cluster)))) {
        pass(driver, cluster, Duration.ofSeconds(random.nextInt(1, 30)));
      } catch (Stopped stopped) {
        // The next turn starts from what was written.
      } finally {
        cluster.neverStop();
      }
    }

    /** Lets something happen to one pod. */
    void disturb() {
      List<Pod> active = pods(cluster).stream().filter(Pod::isActive).toList();
      if (active.isEmpty()) {
        return;
      }
      Pod pod = active.get(random.nextInt(active.size()));
      boolean tracked = pod.object().hasFinalizer(Job.TRACKING);
      assertThat(tracked).as("no pod loses its finalizer while it works").isTrue();
      switch (random.nextInt(4)) {
        case 0, 1 -> {
          succeeds(pod);
          setPhase(cluster, pod, Pod.Phase.SUCCEEDED);
        }
        case 2 -> {
          fails(pod);
          setPhase(cluster, pod, Pod.Phase.FAILED);
        }
        default -> {
          fails(pod);
          cluster.delete(Kinds.POD, pod.object(), Deletion.BACKGROUND);
        }
      }
    }

    boolean isFinished() {
      return job(cluster, "j").isFinished();
    }
  }

  private static String index(Pod pod) {
    return pod.object().annotation(JobPod.INDEX);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void countsEveryPodOnceHoweverOftenItIsStopped(long seed) {
    var run = new Run(seed);
    for (int step = 0; step < MAX_STEPS && !run.isFinished(); step++) {
      run.turn();
      if (!job(run.cluster, "j").status().holds(JobStatus.FAILURE_TARGET)) {
        run.disturb();
      }
    }

    JobStatus status = job(run.cluster, "j").status();
    assertThat(run.isFinished()).as("seed %d", seed).isTrue();
    assertThat(status.uncounted().isEmpty()).isTrue();
    assertThat(status.succeeded()).isEqualTo(run.succeeded.size());
    if (status.holds(JobStatus.COMPLETE)) {
      assertThat(status.failed()).isEqualTo(run.failed.size());
      assertThat(status.succeeded()).isEqualTo(run.completions);
    } else {
      // The pods that the Job itself ended when it failed count as well.
      assertThat(status.failed()).isGreaterThan(run.backoffLimit);
      assertThat(status.failed())
          .isBetween((long) run.failed.size(), run.failed.size() + run.parallelism);
    }
  }

  @Test
  void theSameSeedGivesTheSameWorld() {
    assertThat(history(7)).isEqualTo(history(7)).isNotEqualTo(history(8));
  }

  private static List<String> history(long seed) {
    var run = new Run(seed);
    var history = new ArrayList<String>();
    run.cluster.watch(Kinds.POD, event -> history.add(event.toString()));
    run.cluster.watch(Kinds.JOB, event -> history.add(event.toString()));
    for (int step = 0; step < 40 && !run.isFinished(); step++) {
      run.turn();
      run.disturb();
    }
    return history;
  }
}
