package dev.sluice.cli;

import dev.sluice.controllers.assembly.ControllerSet;
import dev.sluice.controllers.configuration.Configuration;
import dev.sluice.controllers.configuration.Purpose;
import dev.sluice.controllers.configuration.scheduler.SchedulerConfiguration;
import dev.sluice.model.ApiException;
import dev.sluice.model.GoDuration;
import dev.sluice.simulator.UnknownKindException;
import dev.sluice.simulator.report.Report;
import dev.sluice.simulator.result.RunResult;
import dev.sluice.simulator.run.RunOptions;
import dev.sluice.simulator.run.ScenarioRun;
import dev.sluice.simulator.scenario.Scenario;
import dev.sluice.simulator.scenario.ScenarioStep;
import dev.sluice.simulator.whatif.Present;
import dev.sluice.simulator.whatif.RunTimes;
import dev.sluice.simulator.whatif.WhatIf;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice what-if}: plays a snapshot forward with and without a change. */
@Command(
    name = "what-if",
    description =
        "Play a snapshot of a cluster forward in virtual time, with and without a change: which jobs"
            + " start earlier or later, which workloads are evicted, shares and utilisation.")
final class WhatIfCommand implements Callable<Integer> {
  private static final Pattern DAYS = Pattern.compile("(\\d{1,4})d");

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "A file of 'sluice snapshot'.")
  private Path file;

  @Option(
      names = "--change",
      paramLabel = "FILE",
      description =
          "Objects as kubectl applies them: what exists is changed, what does not is created."
              + " Without it, the present goes on.")
  private Optional<Path> change = Optional.empty();

  @Option(
      names = "--horizon",
      paramLabel = "TIME",
      defaultValue = "7d",
      description = "How far to look, such as 12h or 30d. Default: 7d")
  private String horizon;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "The seed of all randomness. Default: 1")
  private long seed;

  @Option(names = "--out", paramLabel = "DIR", description = "Write DIR/report.html.")
  private Optional<Path> out = Optional.empty();

  @Mixin private final ConfigurationOptions configuration = new ConfigurationOptions();

  @Mixin private final SchedulerConfigurationOption scheduling = new SchedulerConfigurationOption();

  @Mixin private final LogOptions log = new LogOptions();

  @Override
  public Integer call() {
    log.apply();
    Present present = present();
    List<ScenarioStep> steps =
        change.map(path -> TextFile.scenario(path, Scenario::parse).steps()).orElse(List.of());
    RunTimes learned = present.runTimes();
    WhatIf answer = play(present, steps);
    List<String> lead =
        List.of(
            "Each future goes on for %s at most.".formatted(horizon),
            learned.known() == 0
                ? "No job has ended, so every job without the annotation sluice.dev/duration runs for"
                    + " 1 h."
                : "Run times are those of %d jobs that have ended, of the same queue and owner first."
                    .formatted(learned.known()));
    print(answer, lead);
    out.ifPresent(directory -> write(directory, answer, lead));
    return 0;
  }

  private Present present() {
    try {
      return new Present(TextFile.scenario(file, Scenario::parse));
    } catch (IllegalArgumentException none) {
      throw UserError.usage(file + ": " + none.getMessage());
    }
  }

  private WhatIf play(Present present, List<ScenarioStep> steps) {
    Configuration configured = configuration.load(Purpose.SIMULATION).configuration();
    SchedulerConfiguration profiles = scheduling.loadForAll();
    var options =
        new RunOptions(
            configured, ControllerSet.SIMULATED, profiles, duration(horizon), (_, _, _) -> {});
    try {
      return WhatIf.of(
          present, steps, (scenario, variant) -> ScenarioRun.of(scenario, variant, seed, options));
    } catch (ApiException | UnknownKindException refused) {
      throw UserError.usage(file + ": " + refused.getMessage());
    }
  }

  private static Duration duration(String text) {
    Matcher days = DAYS.matcher(text);
    Optional<Duration> parsed =
        days.matches()
            ? Optional.of(Duration.ofDays(Long.parseLong(days.group(1))))
            : GoDuration.parse(text);
    return parsed
        .filter(Duration::isPositive)
        .orElseThrow(() ->
            UserError.usage("--horizon %s is no time; write it like 12h or 7d".formatted(text)));
  }

  private void print(WhatIf answer, List<String> lead) {
    PrintWriter text = spec.commandLine().getOut();
    lead.forEach(text::println);
    for (RunResult run : List.of(answer.without(), answer.with())) {
      run.refusals().forEach(refusal -> text.println("refused: " + refusal));
    }
    answer.differences().forEach(sentence -> text.println("- " + sentence));
    for (Report.Table table : answer.tables()) {
      text.println();
      text.println(table.title() + (table.rows().isEmpty() ? ": " + table.empty() : ""));
      print(text, table);
    }
    text.flush();
  }

  private static void print(PrintWriter text, Report.Table table) {
    if (table.rows().isEmpty()) {
      return;
    }
    var lines = new ArrayList<List<String>>();
    lines.add(table.columns());
    lines.addAll(table.rows());
    for (List<String> line : lines) {
      var row = new StringBuilder("  ");
      for (int i = 0; i < line.size(); i++) {
        int column = i;
        int width = lines.stream().mapToInt(cells -> cells.get(column).length()).max().orElse(0);
        row.append(line.get(i)).repeat(' ', width - line.get(i).length() + 2);
      }
      text.println(row.toString().stripTrailing());
    }
  }

  private void write(Path directory, WhatIf answer, List<String> lead) {
    Path page = directory.resolve("report.html");
    var report =
        new Report(
            "What if: " + change.map(Path::toString).orElse("nothing changes"),
            lead,
            List.of(answer.without(), answer.with()),
            answer.tables());
    try {
      Files.createDirectories(directory);
      Files.writeString(page, report.html());
    } catch (IOException unwritable) {
      throw UserError.failure(
          "%s cannot be written: %s; name another --out".formatted(page, TextFile.why(unwritable)));
    }
  }
}
