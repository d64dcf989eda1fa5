package dev.sluice.cli;

import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
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
 * own, named after its variant and seed, and {@code result.json} has the figures of the first and
 * the means of each variant.
 */
final class ResultFolder {
  private final Path folder;

  ResultFolder(Path folder) {
    this.folder = folder;
  }

  void write(List<VariantRuns> variants, double realSeconds) {
    List<RunResult> runs = variants.stream().flatMap(variant -> variant.runs().stream()).toList();
    double each = realSeconds / runs.size();
    Tree result = ResultFiles.json(runs.getFirst(), each);
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

  private static void write(Path folder, RunResult run, Tree result) {
    write(folder.resolve("result.json"), List.of(Json.write(result)));
    write(folder.resolve("decisions.jsonl"), run.decisions().stream().map(Json::write).toList());
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
