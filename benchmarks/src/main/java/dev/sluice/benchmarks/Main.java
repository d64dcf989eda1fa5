package dev.sluice.benchmarks;

import dev.sluice.benchmarks.jobs.IndexedJobCommand;
import dev.sluice.benchmarks.jobs.NodesCommand;
import dev.sluice.benchmarks.queue.QueueCommand;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

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
    System.exit(run(arguments));
  }

  static int run(String... arguments) {
    CommandLine command = new CommandLine(new Main());
    command.setUsageHelpAutoWidth(true);
    takeHelpOption(command);
    command.setCaseInsensitiveEnumValuesAllowed(true);
    command.setExecutionExceptionHandler((thrown, failed, ignored) -> refuse(failed, thrown));
    return arguments.length == 0 ? command.execute("help") : command.execute(arguments);
  }

  /** People try --help first, after every command; the help command itself has it already. */
  private static void takeHelpOption(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    if (spec.findOption("--help") == null) {
      spec.addOption(
          OptionSpec.builder("-h", "--help")
              .usageHelp(true)
              .description("Show this page.")
              .build());
    }
    command.getSubcommands().values().forEach(Main::takeHelpOption);
  }

  /** A benchmark that cannot give its figure says why in one line; anything else is a fault. */
  private static int refuse(CommandLine command, Exception thrown) throws Exception {
    if (!(thrown instanceof FailedBenchmark)) {
      throw thrown;
    }
    PrintWriter out = command.getErr();
    out.printf("sluice bench: %s%n", thrown.getMessage());
    return 1;
  }
}
