package dev.sluice.cli;

import dev.sluice.controllers.assembly.ControllerSet;
import dev.sluice.controllers.configuration.Purpose;
import dev.sluice.model.GoDuration;
import dev.sluice.model.tree.MalformedText;
import dev.sluice.simulator.VirtualWorld;
import dev.sluice.simulator.replay.DecisionFile;
import dev.sluice.simulator.replay.DecisionFile.Origin;
import dev.sluice.simulator.result.RunResult;
import dev.sluice.simulator.run.RunOptions;
import dev.sluice.simulator.run.VariantRuns;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice replay}: runs the scenario of a decision log again and compares. */
@Command(
    name = "replay",
    description =
        "Run the scenario of a decision log again, and stop at the first decision that differs."
            + " Give it the options that the run had.")
final class ReplayCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "A decisions.jsonl of 'sluice simulate --out'.")
  private Path file;

  @Option(
      names = "--scenario",
      paramLabel = "FILE",
      description = "The scenario, if it is no longer where the log says.")
  private Optional<Path> scenario = Optional.empty();

  @Option(
      names = "--for",
      paramLabel = "TIME",
      description = "The --for of the run, if it had one.")
  private Optional<String> longest = Optional.empty();

  @Mixin private final ConfigurationOptions configuration = new ConfigurationOptions();

  @Mixin private final SchedulerConfigurationOption scheduling = new SchedulerConfigurationOption();

  @Mixin private final InvariantOptions invariants = new InvariantOptions();
  @Mixin private final LogOptions log = new LogOptions();

  @Override
  public Integer call() {
    log.apply();
    DecisionFile recorded = read();
    Origin origin = recorded.origin();
    ScenarioFile found = ScenarioFile.read(scenario.orElse(Path.of(origin.scenario())));
    RunResult run = run(found, origin);
    PrintWriter text = spec.commandLine().getOut();
    Optional<DecisionFile.Divergence> divergence = recorded.divergence(run.decisions());
    if (divergence.isEmpty()) {
      text.printf("the same %d decisions%n", recorded.decisions().size());
    } else {
      text.println(divergence.get().text());
      text.println(why(origin, found));
    }
    text.flush();
    return divergence.isEmpty() ? 0 : 1;
  }

  private DecisionFile read() {
    try {
      return DecisionFile.parse(Files.readAllLines(file));
    } catch (IOException unreadable) {
      throw UserError.usage("%s cannot be read: %s".formatted(file, TextFile.why(unreadable)));
    } catch (MalformedText wrong) {
      throw UserError.usage(file + ": " + wrong.getMessage());
    }
  }

  private RunResult run(ScenarioFile found, Origin origin) {
    Duration horizon =
        longest
            .map(text ->
                GoDuration.parse(text)
                    .orElseThrow(() -> UserError.usage("--for %s is no time".formatted(text))))
            .orElse(VirtualWorld.LONGEST);
    var options =
        new RunOptions(
            configuration.load(Purpose.SIMULATION).configuration(),
            invariants.with(ControllerSet.SIMULATED),
            scheduling.loadForAll(),
            horizon,
            (_, _, _) -> {});
    List<VariantRuns> variants = found.run(origin.seed(), options);
    return variants.stream()
        .filter(variant -> variant.name().equals(origin.variant()))
        .flatMap(variant -> variant.runs().stream())
        .filter(run -> run.name().seed() == origin.seed())
        .findFirst()
        .orElseThrow(() ->
            UserError.failure(
                "%s has no variant '%s' with seed %d any more"
                    .formatted(found.path(), origin.variant(), origin.seed())));
  }

  private static String why(Origin origin, ScenarioFile found) {
    if (!found.sha256().equals(origin.sha256())) {
      return "%s has changed since the log was written".formatted(found.path());
    }
    if (!origin.version().equals(VersionCommand.version())) {
      return "the log is of version %s, this is %s"
          .formatted(origin.version(), VersionCommand.version());
    }
    return "neither the scenario nor the version has changed: the run had other options, a file that"
        + " the scenario names has changed, or this is a defect of Sluice";
  }
}
