package dev.sluice.simulator;

import dev.sluice.controllers.assembly.ControllerSet;
import dev.sluice.controllers.assembly.ControllerSet.Group;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.scheduler.SchedulerConfiguration;
import dev.sluice.controllers.queueing.DecisionLog;
import dev.sluice.engine.admission.cycle.AdmissionDecision;
import dev.sluice.model.GoDuration;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.Tree;
import dev.sluice.simulator.scenario.Scenario;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A run of a scenario. The same scenario and seed give the same result, to the byte. */
public final class Simulation {
  private Simulation() {}

  /**
   * The result of a scenario.
   *
   * @param decisions one line per decision, in order
   * @param jobs the jobs as they were at the end
   * @param refusals the later steps that the API rejected, and why
   * @param broken the invariants of queueing that were violated, if they were checked
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

  /** The longest duration of a scenario that never ends by itself. */
  public static final Duration LONGEST = VirtualWorld.LONGEST;

  /** Runs with the default configuration until nothing is left to happen. */
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
   * Runs until nothing is left to happen.
   *
   * @param groups the controllers that run
   * @param longest the virtual time after which it ends in any case: a CronJob goes on forever
   * @param scheduling how pods are scheduled
   * @throws dev.sluice.model.ApiException if the API rejects an object of the scenario
   */
  public static Result run(
      Scenario scenario,
      long seed,
      Configuration configuration,
      Set<Group> groups,
      Duration longest,
      SchedulerConfiguration scheduling) {
    try (var world = new VirtualWorld(seed, configuration, groups, scheduling)) {
      var stage = new ScenarioRunner(world);
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
    public void decided(Instant at, AdmissionDecision decision) {
      decisions.add(DecisionRecord.of(at, decision));
    }

    @Override
    public void broken(Instant at, String invariant) {
      Duration elapsed = Duration.between(VirtualWorld.START, at);
      broken.add("%s after %s".formatted(invariant, GoDuration.format(elapsed)));
    }
  }
}
