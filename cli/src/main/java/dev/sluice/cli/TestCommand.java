package dev.sluice.cli;

import dev.sluice.controllers.assembly.ControllerSet;
import dev.sluice.controllers.configuration.Purpose;
import dev.sluice.runtime.RealTime;
import dev.sluice.runtime.TimeSource;
import dev.sluice.simulator.VirtualWorld;
import dev.sluice.simulator.expect.FailedExpectations;
import dev.sluice.simulator.run.RunOptions;
import dev.sluice.simulator.run.VariantRuns;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sluice test}: plays all scenarios of a folder and checks their expectations. */
@Command(
    name = "test",
    description = {
      "Play all scenarios of a folder, and check what they expect: quota as code, for CI.",
      "The exit status is 1 if one does not hold."
    })
final class TestCommand implements Callable<Integer> {
  private final TimeSource clock = new RealTime();

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "DIR",
      description = "The folder; every .yaml file in it and below is a scenario.")
  private Path folder;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "The seed of scenarios that name none. Default: 1")
  private long seed;

  @Option(
      names = "--junit",
      paramLabel = "FILE",
      description = "Write the outcome as JUnit XML, which CI systems read.")
  private Optional<Path> junit = Optional.empty();

  @Option(
      names = "--parallel",
      paramLabel = "N",
      description = "How many scenarios run at once. Default: as many as there are cores")
  private Optional<Integer> parallel = Optional.empty();

  @Mixin private final ConfigurationOptions configuration = new ConfigurationOptions();

  @Mixin private final SchedulerConfigurationOption scheduling = new SchedulerConfigurationOption();

  @Mixin private final InvariantOptions invariants = new InvariantOptions();
  @Mixin private final LogOptions log = new LogOptions();

  @Override
  public Integer call() {
    log.apply();
    List<Path> files = files();
    var options =
        new RunOptions(
            configuration.load(Purpose.SIMULATION).configuration(),
            invariants.with(ControllerSet.SIMULATED),
            scheduling.loadForAll(),
            VirtualWorld.LONGEST,
            (_, _, _) -> {});
    List<TestOutcome> outcomes = play(files, options);
    PrintWriter text = spec.commandLine().getOut();
    long failed = outcomes.stream().filter(outcome -> !outcome.failures().isEmpty()).count();
    text.printf(
        Locale.ROOT,
        "%d scenarios, %d hold, %d fail%n",
        files.size(),
        files.size() - failed,
        failed);
    text.flush();
    junit.ifPresent(file -> JUnitReport.write(file, outcomes));
    return failed == 0 ? 0 : 1;
  }

  private List<Path> files() {
    if (!Files.isDirectory(folder)) {
      throw UserError.usage("there is no folder " + folder);
    }
    try (Stream<Path> found = Files.walk(folder)) {
      List<Path> files = found.filter(path -> path.toString().endsWith(".yaml")).sorted().toList();
      if (files.isEmpty()) {
        throw UserError.usage("%s has no .yaml file".formatted(folder));
      }
      return files;
    } catch (IOException unreadable) {
      throw UserError.usage("%s cannot be read: %s".formatted(folder, TextFile.why(unreadable)));
    }
  }

  /** The outcomes in the order of the files, whatever ends first. */
  private List<TestOutcome> play(List<Path> files, RunOptions options) {
    int atOnce = parallel.orElse(Runtime.getRuntime().availableProcessors());
    if (atOnce < 1) {
      throw UserError.usage("--parallel %d is too few; it must be at least 1".formatted(atOnce));
    }
    try (var threads = Executors.newFixedThreadPool(Math.min(atOnce, files.size()))) {
      List<Future<TestOutcome>> running =
          files.stream().map(file -> threads.submit(() -> play(file, options))).toList();
      var outcomes = new ArrayList<TestOutcome>();
      for (Future<TestOutcome> next : running) {
        outcomes.add(next.get());
        report(outcomes.getLast());
      }
      return outcomes;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw UserError.failure("the test was interrupted");
    } catch (ExecutionException defect) {
      throw new IllegalStateException("a scenario could not be played", defect.getCause());
    }
  }

  private TestOutcome play(Path file, RunOptions options) {
    Instant began = clock.now();
    var failures = new ArrayList<String>();
    try {
      for (VariantRuns variant : ScenarioFile.read(file).run(seed, options)) {
        failures.addAll(FailedExpectations.of(variant.scenario().spec(), variant.runs()));
      }
    } catch (UserError wrong) {
      failures.add(String.valueOf(wrong.getMessage()));
    }
    String name = folder.relativize(file).toString();
    return new TestOutcome(name, failures, Duration.between(began, clock.now()).toNanos() / 1e9);
  }

  private void report(TestOutcome outcome) {
    PrintWriter text = spec.commandLine().getOut();
    text.printf(
        Locale.ROOT,
        "%-6s %-40s %6.1fs%n",
        outcome.failures().isEmpty() ? "ok" : "FAILED",
        outcome.scenario(),
        outcome.seconds());
    outcome.failures().forEach(failure -> text.println("       " + failure));
    text.flush();
  }
}
