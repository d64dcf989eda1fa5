package dev.sluice.simulator.whatif;

import dev.sluice.simulator.report.Comparison;
import dev.sluice.simulator.report.Differences;
import dev.sluice.simulator.report.Report;
import dev.sluice.simulator.result.RunResult;
import dev.sluice.simulator.scenario.Scenario;
import dev.sluice.simulator.scenario.ScenarioStep;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The future of a snapshot with and without a change. Both futures have the same arrivals and run
 * times, so they differ only by what the change does.
 */
public record WhatIf(RunResult without, RunResult with, Comparison comparison) {
  /** The name of the run with the change. */
  public static final String CHANGED = "with the change";

  /** The name of the run without it. */
  public static final String AS_IT_IS = "as it is";

  /** How a scenario is run. */
  public interface Player {
    RunResult play(Scenario scenario, String variant);
  }

  /**
   * Plays both futures.
   *
   * @param change the steps of the change; empty for none
   */
  public static WhatIf of(Present present, List<ScenarioStep> change, Player player) {
    RunTimes learned = present.runTimes();
    Scenario base = present.with(learned::median);
    RunResult without = player.play(base, AS_IT_IS);
    RunResult with = player.play(changed(base, change), CHANGED);
    return new WhatIf(without, with, Comparison.of(without, with));
  }

  /** The change applies before anything happens, and then the present goes on. */
  private static Scenario changed(Scenario base, List<ScenarioStep> change) {
    var known = new TreeMap<String, ScenarioStep>();
    base.steps().forEach(step -> known.put(id(step), step));
    var steps = new ArrayList<>(base.steps());
    for (ScenarioStep step : change) {
      boolean changes = step.deed() == ScenarioStep.Deed.CREATE && known.containsKey(id(step));
      steps.add(changes ? step.doing(ScenarioStep.Deed.UPDATE) : step);
    }
    return new Scenario(steps);
  }

  private static String id(ScenarioStep step) {
    return step.object().kind() + " " + step.object().path();
  }

  /** What the change does, in sentences. */
  public List<String> differences() {
    return Differences.of(without, with);
  }

  /** The tables of the report. */
  public List<Report.Table> tables() {
    return WhatIfTables.of(this);
  }
}
