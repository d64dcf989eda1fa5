package dev.sluice.benchmarks;

import dev.sluice.benchmarks.jobs.IndexedJobCommand;
import dev.sluice.benchmarks.jobs.NodesCommand;
import dev.sluice.benchmarks.queue.QueueCommand;
import dev.sluice.cli.ErrorReporter;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/**
 * {@code sluice bench}: measures Sluice on this machine. The launcher starts it from this room's
 * own jar, since nothing of it belongs into the command that people run in production.
 */
@Command(
    name = "sluice bench",
    synopsisSubcommandLabel = "COMMAND",
    description = "Measure Sluice on this machine.",
    subcommands = {
      QueueCommand.class,
      EngineCommand.class,
      SchedulerCommand.class,
      IndexedJobCommand.class,
      NodesCommand.class,
      HelpCommand.class
    },
    commandListHeading = "%nCommands:%n",
    footer = {"", "What the figures mean: docs/benchmarks.md"})
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    // By the locale of this machine numbers may have other digits, which no other program reads.
    Locale.setDefault(Locale.ROOT);
    System.exit(run(arguments));
  }

  private static int run(String... arguments) {
    CommandLine command = commandLine();
    return arguments.length == 0 ? command.execute("help") : command.execute(arguments);
  }

  static CommandLine commandLine() {
    var command = new CommandLine(new Main());
    command.setCaseInsensitiveEnumValuesAllowed(true);
    ErrorReporter.prepare(command);
    return command;
  }
}
