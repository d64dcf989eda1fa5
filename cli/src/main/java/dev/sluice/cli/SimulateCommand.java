package dev.sluice.cli;

import dev.sluice.controllers.assembly.ControllerSet;
import dev.sluice.controllers.configuration.Purpose;
import dev.sluice.model.GoDuration;
import dev.sluice.runtime.RealTime;
import dev.sluice.runtime.TimeSource;
import dev.sluice.simulator.VirtualWorld;
import dev.sluice.simulator.expect.FailedExpectations;
import dev.sluice.simulator.result.ResultText;
import dev.sluice.simulator.result.RunResult;
import dev.sluice.simulator.run.RunOptions;
import dev.sluice.simulator.run.VariantRuns;
import dev.sluice.simulator.scenario.Schema;
import java.io.Console;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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
    description = {
      "Run a scenario in virtual time; the same file and seed give the same result.",
      "The exit status is 1 if jobs did not end or an expectation of the scenario does not hold."
    })
final class SimulateCommand implements Callable<Integer> {
  private final TimeSource clock = new RealTime();

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description =
          "Objects as kubectl takes them, and at most one Scenario object: see docs/scenarios.md.")
  private Optional<Path> file = Optional.empty();

  @Option(
      names = "--schema",
      description = "Print the JSON Schema of the Scenario object, for editors, and exit.")
  private boolean schema;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "The seed of all randomness, unless the scenario names seeds. Default: 1")
  private long seed;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Write DIR/report.html, DIR/result.json, DIR/decisions.jsonl with one line per decision, and"
              + " DIR/jobs.csv.")
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
    PrintWriter text = spec.commandLine().getOut();
    if (schema) {
      text.print(Schema.text());
      text.flush();
      return 0;
    }
    Path path =
        file.orElseThrow(
            () -> UserError.usage("name the FILE of a scenario. See './sluice help simulate'"));
    return play(ScenarioFile.read(path), text);
  }

  private int play(ScenarioFile scenario, PrintWriter text) {
    Instant began = clock.now();
    List<VariantRuns> variants;
    try (var progress = new ProgressLine(spec.commandLine().getErr(), isTerminal(), clock)) {
      variants = scenario.run(seed, options(progress));
    }
    double seconds = Duration.between(began, clock.now()).toNanos() / 1e9;
    print(variants, text);
    out.ifPresent(folder -> new ResultFolder(folder, scenario).write(variants, seconds));
    var failures = new ArrayList<String>();
    for (VariantRuns variant : variants) {
      failures.addAll(FailedExpectations.of(variant.scenario().spec(), variant.runs()));
    }
    failures.forEach(failure -> text.println("FAILED: " + failure));
    text.flush();
    return failures.isEmpty() ? 0 : 1;
  }

  private static boolean isTerminal() {
    return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
  }

  private RunOptions options(RunOptions.Progress progress) {
    return new RunOptions(
        configuration.load(Purpose.SIMULATION).configuration(),
        invariants.with(ControllerSet.SIMULATED),
        scheduling.loadForAll(),
        longest.map(SimulateCommand::duration).orElse(VirtualWorld.LONGEST),
        progress);
  }

  private static Duration duration(String text) {
    return GoDuration.parse(text)
        .filter(Duration::isPositive)
        .orElseThrow(
            () -> UserError.usage("--for %s is no time; write it like 90m or 48h".formatted(text)));
  }

  private static void print(List<VariantRuns> variants, PrintWriter text) {
    for (VariantRuns variant : variants) {
      for (RunResult run : variant.runs()) {
        if (!variant.name().isEmpty()) {
          text.println("== variant " + variant.name());
        }
        ResultText.of(run).forEach(text::println);
      }
    }
    if (variants.size() > 1 || variants.getFirst().runs().size() > 1) {
      text.println();
      ResultText.comparison(variants.stream().map(VariantRuns::runs).toList())
          .forEach(text::println);
    }
    text.flush();
  }
}
