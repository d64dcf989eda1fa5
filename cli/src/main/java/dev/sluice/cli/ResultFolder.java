package dev.sluice.cli;

import dev.sluice.model.Plural;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.simulator.replay.DecisionFile;
import dev.sluice.simulator.replay.DecisionFile.Origin;
import dev.sluice.simulator.report.Report;
import dev.sluice.simulator.result.ResultFiles;
import dev.sluice.simulator.result.RunResult;
import dev.sluice.simulator.run.VariantRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The folder of {@code --out}. One run has its files there; each of several has a folder of its
 * own, named after its variant and seed; {@code report.html} is about all of them, and {@code
 * result.json} has the figures of the first and the means of each variant.
 */
final class ResultFolder {
  private final Path folder;
  private final ScenarioFile scenario;

  ResultFolder(Path folder, ScenarioFile scenario) {
    this.folder = folder;
    this.scenario = scenario;
  }

  void write(List<VariantRuns> variants, double realSeconds) {
    List<RunResult> runs = variants.stream().flatMap(variant -> variant.runs().stream()).toList();
    double each = realSeconds / runs.size();
    Tree result = ResultFiles.json(runs.getFirst(), each);
    write(folder.resolve("report.html"), List.of(report(runs)));
    if (runs.size() == 1) {
      write(folder, runs.getFirst(), result);
      return;
    }
    var means = new ArrayList<Tree>();
    for (VariantRuns variant : variants) {
      means.add(ResultFiles.estimates(variant.runs()).with("name", variant.name()));
      for (RunResult run : variant.runs()) {
        Path own = folder.resolve(variant.name()).resolve("seed-" + run.name().seed());
        write(own, run, ResultFiles.json(run, each));
      }
    }
    write(folder.resolve("result.json"), List.of(Json.write(result.with("variants", means))));
  }

  private String report(List<RunResult> runs) {
    String name = scenario.scenario().spec().name();
    List<String> lead =
        List.of("%s of %s.".formatted(Plural.of(runs.size(), "run"), scenario.path()));
    String title = name.isEmpty() ? "Simulation of " + scenario.path().getFileName() : name;
    return new Report(title, lead, runs, List.of()).html();
  }

  private void write(Path folder, RunResult run, Tree result) {
    write(folder.resolve("result.json"), List.of(Json.write(result)));
    var origin =
        new Origin(
            scenario.path().toString(),
            scenario.sha256(),
            run.name().variant(),
            run.name().seed(),
            VersionCommand.version());
    write(folder.resolve("decisions.jsonl"), DecisionFile.of(origin, run.decisions()).lines());
    write(folder.resolve("jobs.csv"), ResultFiles.csv(run));
  }

  private static void write(Path file, List<String> lines) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.write(file, lines);
    } catch (IOException unwritable) {
      throw UserError.failure(
          "%s cannot be written: %s; name another --out".formatted(file, TextFile.why(unwritable)));
    }
  }
}
