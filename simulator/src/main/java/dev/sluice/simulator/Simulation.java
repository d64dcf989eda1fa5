package dev.sluice.simulator;

import dev.sluice.controllers.ControllerSet;
import dev.sluice.controllers.ControllerSet.Group;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.SchedulerConfiguration;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.engine.admission.Decision;
import dev.sluice.model.GoDuration;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Plays scenarios. The same scenario and seed give the same result, to the byte. */
public final class Simulation {
  private Simulation() {}

  /**
   * What became of a scenario.
   *
   * @param decisions one line per decision, in order
   * @param jobs the jobs as they were at the end
   * @param refusals the later steps that the API refused, and why
   * @param broken the promises of queueing that were broken, if somebody looked
   */
  public record Result(
      List<Tree> decisions,
      List<JobReport> jobs,
      List<String> refusals,
      List<String> broken,
      Duration elapsed) {
    public Result {
      decisions = List.copyOf(decisions);
      jobs = List.copyOf(jobs);
      refusals = List.copyOf(refusals);
      broken = List.copyOf(broken);
    }
  }

  /** What never ends by itself ends after so long. */
  public static final Duration LONGEST = VirtualWorld.LONGEST;

  /** Plays with the defaults of everything until nothing is left to happen. */
  public static Result run(Scenario scenario, long seed) {
    return run(
        scenario,
        seed,
        Configuration.DEFAULT,
        ControllerSet.SIMULATED,
        LONGEST,
        SchedulerConfiguration.DEFAULT);
  }

  /**
   * Plays until nothing is left to happen.
   *
   * @param groups the controllers that act
   * @param longest after how much time of the scenario it ends in any case: a CronJob goes on
   *     forever
   * @param scheduling how pods are scheduled
   * @throws dev.sluice.model.ApiException if the API refuses an object of the scenario
   */
  public static Result run(
      Scenario scenario,
      long seed,
      Configuration configuration,
      Set<Group> groups,
      Duration longest,
      SchedulerConfiguration scheduling) {
    try (var world = new VirtualWorld(seed, configuration, groups, scheduling)) {
      var stage = new Stage(world);
      stage.set(scenario);
      var notes = new Notes();
      world.runFor(notes, longest);
      List<JobReport> jobs =
          world.cluster().list(Kinds.JOB).stream()
              .map(job -> JobReport.of(job, VirtualWorld.START))
              .toList();
      return new Result(notes.decisions, jobs, stage.refusals(), notes.broken, world.elapsed());
    }
  }

  private static final class Notes implements DecisionLog {
    private final List<Tree> decisions = new ArrayList<>();
    private final List<String> broken = new ArrayList<>();

    @Override
    public void decided(Instant at, Decision decision) {
      decisions.add(DecisionRecord.of(at, decision));
    }

    @Override
    public void broken(Instant at, String promise) {
      Duration elapsed = Duration.between(VirtualWorld.START, at);
      broken.add("%s after %s".formatted(promise, GoDuration.format(elapsed)));
    }
  }
}
