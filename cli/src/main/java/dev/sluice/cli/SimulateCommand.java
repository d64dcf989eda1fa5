package dev.sluice.cli;

import dev.sluice.controllers.assembly.ControllerSet;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Purpose;
import dev.sluice.model.ApiException;
import dev.sluice.model.GoDuration;
import dev.sluice.model.Plural;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.Tree;
import dev.sluice.simulator.JobReport;
import dev.sluice.simulator.Simulation;
import dev.sluice.simulator.UnknownKindException;
import dev.sluice.simulator.scenario.Scenario;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice simulate}: runs a scenario, from its file to its result. */
@Command(
    name = "simulate",
    description = "Run a scenario in virtual time; the same file and seed give the same result.")
final class SimulateCommand implements Callable<Integer> {
  private static final String ROW = "%-32s %-16s %-10s %9s %9s %9s%n";

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "FILE",
      description = "Objects as kubectl takes them: nodes, queues and jobs, in YAML.")
  private Path file;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "The seed of all randomness. Default: 1")
  private long seed;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Write DIR/decisions.jsonl, one line per decision.")
  private Optional<Path> out = Optional.empty();

  @Option(
      names = "--for",
      paramLabel = "TIME",
      description =
          "Stop after this much simulated time, such as 48h; a CronJob would go on forever. Default:"
              + " when nothing is left to happen.")
  private Optional<String> longest = Optional.empty();

  @Mixin private final ConfigurationOptions configuration = new ConfigurationOptions();

  @Mixin private final SchedulerConfigurationOption scheduling = new SchedulerConfigurationOption();

  @Mixin private final InvariantOptions invariants = new InvariantOptions();
  @Mixin private final LogOptions log = new LogOptions();

  @Override
  public Integer call() {
    log.apply();
    Simulation.Result result = run(TextFile.scenario(file, Scenario::parse));
    print(result);
    out.ifPresent(directory -> write(directory, result.decisions()));
    if (!result.broken().isEmpty()) {
      throw UserError.failure("invariants were violated: " + String.join("; ", result.broken()));
    }
    return 0;
  }

  private Simulation.Result run(Scenario scenario) {
    Configuration configured = configuration.load(Purpose.SIMULATION).configuration();
    try {
      return Simulation.run(
          scenario,
          seed,
          configured,
          invariants.with(ControllerSet.SIMULATED),
          longest.map(SimulateCommand::duration).orElse(Simulation.LONGEST),
          scheduling.loadForAll());
    } catch (ApiException | UnknownKindException refused) {
      throw UserError.usage(file + ": " + refused.getMessage());
    }
  }

  private static Duration duration(String text) {
    return GoDuration.parse(text)
        .filter(Duration::isPositive)
        .orElseThrow(
            () -> UserError.usage("--for %s is no time; write it like 90m or 48h".formatted(text)));
  }

  private static void write(Path directory, List<Tree> decisions) {
    Path file = directory.resolve("decisions.jsonl");
    try {
      Files.createDirectories(directory);
      Files.write(file, decisions.stream().map(Json::write).toList());
    } catch (IOException unwritable) {
      throw UserError.failure(
          "%s cannot be written: %s; name another --out".formatted(file, TextFile.why(unwritable)));
    }
  }

  private void print(Simulation.Result result) {
    PrintWriter text = spec.commandLine().getOut();
    text.printf(Locale.ROOT, ROW, "JOB", "QUEUE", "STATE", "SUBMITTED", "STARTED", "FINISHED");
    for (JobReport job : result.jobs()) {
      text.printf(
          Locale.ROOT,
          ROW,
          job.job(),
          job.queue().isEmpty() ? "-" : job.queue(),
          job.state(),
          seconds(job.submitted()),
          job.started().map(SimulateCommand::seconds).orElse("-"),
          job.finished().map(SimulateCommand::seconds).orElse("-"));
    }
    result.refusals().forEach(refusal -> text.println("refused: " + refusal));
    text.printf(
        Locale.ROOT,
        "%s, %s, %s of virtual time, seed %d%n",
        Plural.of(result.jobs().size(), "job"),
        Plural.of(result.decisions().size(), "decision"),
        seconds(result.elapsed()),
        seed);
    text.flush();
  }

  private static String seconds(Duration duration) {
    return duration.toSeconds() + "s";
  }
}
