package dev.sluice.simulator.run;

import dev.sluice.simulator.result.RunResult;
import dev.sluice.simulator.scenario.Scenario;
import dev.sluice.simulator.scenario.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The runs of one variant, one for each seed.
 *
 * @param name of the variant; empty for a scenario without variants
 * @param scenario with the changes of the variant
 */
public record VariantRuns(String name, Scenario scenario, List<RunResult> runs) {
  public VariantRuns {
    runs = List.copyOf(runs);
  }

  /**
   * Runs all variants of a scenario with all its seeds.
   *
   * @param files the text of a file that the scenario names
   * @param seed for a scenario that names none
   * @throws dev.sluice.model.ApiException if the API rejects an object of the start
   */
  public static List<VariantRuns> all(
      Scenario scenario, Function<String, String> files, long seed, RunOptions options) {
    var all = new ArrayList<VariantRuns>();
    for (Variant variant : scenario.spec().variants()) {
      all.add(of(variant.name(), scenario.with(variant, files), seed, options));
    }
    return all.isEmpty() ? List.of(of("", scenario, seed, options)) : all;
  }

  private static VariantRuns of(String name, Scenario scenario, long seed, RunOptions options) {
    List<Long> seeds = scenario.spec().seeds();
    return new VariantRuns(
        name,
        scenario,
        (seeds.isEmpty() ? List.of(seed) : seeds)
            .stream().map(one -> ScenarioRun.of(scenario, name, one, options)).toList());
  }
}
