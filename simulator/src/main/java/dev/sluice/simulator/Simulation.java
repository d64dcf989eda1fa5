package dev.sluice.simulator;

import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.model.Kinds;
import dev.sluice.model.tree.Tree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Plays scenarios. The same scenario and seed give the same result, to the byte. */
public final class Simulation {
  private Simulation() {}

  /**
   * What became of a scenario.
   *
   * @param decisions one line per decision, in order
   * @param jobs the jobs as they were at the end
   */
  public record Result(List<Tree> decisions, List<JobReport> jobs, Duration elapsed) {
    public Result {
      decisions = List.copyOf(decisions);
      jobs = List.copyOf(jobs);
    }
  }

  /** Plays with the defaults of the configuration. */
  public static Result run(Scenario scenario, long seed) {
    return run(scenario, seed, Configuration.DEFAULT);
  }

  /**
   * Plays until nothing is left to happen.
   *
   * @throws dev.sluice.model.ApiException if the API refuses an object of the scenario
   */
  public static Result run(Scenario scenario, long seed, Configuration configuration) {
    var decisions = new ArrayList<Tree>();
    try (var world = new VirtualWorld(seed, configuration)) {
      scenario.objects().forEach(world::create);
      world.run((at, decision) -> decisions.add(DecisionRecord.of(at, decision)));
      List<JobReport> jobs =
          world.cluster().list(Kinds.JOB).stream()
              .map(job -> JobReport.of(job, VirtualWorld.START))
              .toList();
      return new Result(decisions, jobs, world.elapsed());
    }
  }
}
