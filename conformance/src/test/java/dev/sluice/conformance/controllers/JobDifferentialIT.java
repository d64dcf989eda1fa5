package dev.sluice.conformance.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conformance.RealKubernetes;
import dev.sluice.conformance.RequiresKubernetes;
import dev.sluice.conformance.controllers.JobScripts.Script;
import dev.sluice.conformance.controllers.JobScripts.Step;
import dev.sluice.controllers.housekeeping.GarbageCollector;
import dev.sluice.controllers.jobs.JobController;
import dev.sluice.controllers.jobs.TtlAfterFinished;
import dev.sluice.model.Kinds;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same scripts for the Jobs of our controllers on our server, and for those of
 * kube-controller-manager on the real one: after each step both must come to look alike, with the
 * same statuses, pods and events, and must have told the same conditions in the same order. What
 * has only to do with time may differ: how often a status is written on the way.
 */
@RequiresKubernetes(RealKubernetes.Part.CONTROLLER_MANAGER)
@Timeout(180)
class JobDifferentialIT {
  /**
   * Longer than either world takes to notice a step, since both take changes of a second together.
   */
  private static final Duration NOTICE = Duration.ofMillis(2500);

  private static final Duration CALM = Duration.ofMillis(1200);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final TwoWorlds worlds;

  JobDifferentialIT(RealKubernetes kubernetes, @TempDir Path folder) throws IOException {
    this.worlds =
        new TwoWorlds(
            kubernetes,
            folder,
            ours ->
                List.of(
                    new JobController(ours),
                    new TtlAfterFinished(ours),
                    new GarbageCollector(ours, List.of(Kinds.JOB, Kinds.POD))));
  }

  @AfterEach
  void close() {
    worlds.close();
  }

  @Test
  void jobsLookAlikeAfterEveryStep() throws Exception {
    worlds.start();
    var here = new JobStage(worlds.ours);
    var there = new JobStage(worlds.real);
    // Scripts mostly wait, so they run in parallel.
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> played =
          threads.invokeAll(
              JobScripts.ALL.stream()
                  .<Callable<String>>map(script -> () -> outcome(script, here, there))
                  .toList());
      assertThat(ofDifferentJobs(here, there)).as("what differs is seen").contains("theirs:");
      var differences = new StringBuilder();
      for (Future<String> difference : played) {
        differences.append(difference.get());
      }
      assertThat(differences.toString()).isEmpty();
    }
  }

  private static String ofDifferentJobs(JobStage here, JobStage there) throws InterruptedException {
    here.submit("different", "{parallelism: 1}");
    there.submit("different", "{parallelism: 2}");
    return difference("different", here, there, NOTICE);
  }

  private static String outcome(Script script, JobStage here, JobStage there)
      throws InterruptedException {
    try {
      return play(script, here, there);
    } catch (RuntimeException | AssertionError stuck) {
      return "%s stopped: %s%nours:%n%s%ntheirs:%n%s%n%n"
          .formatted(script.name(), stuck, here.look(script.name()), there.look(script.name()));
    }
  }

  /** Plays a script in both worlds; returns how they differ, if they do. */
  private static String play(Script script, JobStage here, JobStage there)
      throws InterruptedException {
    String name = script.name();
    here.submit(name, script.spec());
    there.submit(name, script.spec());
    String difference = difference(name, here, there);
    for (int i = 0; i < script.steps().size() && difference.isEmpty(); i++) {
      Step step = script.steps().get(i);
      step.in(there, name);
      step.in(here, name);
      difference = difference(name, here, there);
      difference = difference.isEmpty() ? "" : "after step %d of ".formatted(i + 1) + difference;
    }
    return difference;
  }

  private static String difference(String job, JobStage here, JobStage there)
      throws InterruptedException {
    return difference(job, here, there, PATIENCE);
  }

  /** Waits until both worlds look alike and stay so. */
  private static String difference(String job, JobStage here, JobStage there, Duration patience)
      throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    Thread.sleep(NOTICE);
    while (true) {
      String before = there.look(job);
      Thread.sleep(CALM);
      String expected = there.look(job);
      String found = here.look(job);
      if (expected.equals(before) && expected.equals(found)) {
        return "";
      }
      if (System.nanoTime() > end) {
        return "%s, ours:%n%s%ntheirs:%n%s%n%n".formatted(job, found, expected);
      }
    }
  }
}
