package dev.sluice.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The sluice command. */
@Command(
    name = "sluice",
    synopsisSubcommandLabel = "COMMAND",
    description = "The batch system for Kubernetes: queues, quotas and fairness for Jobs.",
    subcommands = {
      UpCommand.class,
      SimulateCommand.class,
      ManagerCommand.class,
      ExplainCommand.class,
      VersionCommand.class,
      HelpCommand.class
    },
    commandListHeading = "%nCommands:%n",
    footer = {
      "",
      "Start here:  ./sluice up        then do what its one line says.",
      "Measure it:  ./sluice bench     on this machine; see docs/benchmarks.md",
      "More:        ./sluice help COMMAND, README.md, docs/"
    })
public final class Main {
  private static final int WRONG_USAGE = 2;

  private Main() {}

  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  static int run(String... arguments) {
    CommandLine command = commandLine();
    return arguments.length == 0 ? command.execute("help") : command.execute(arguments);
  }

  static CommandLine commandLine() {
    CommandLine command = new CommandLine(new Main());
    command.setUsageHelpAutoWidth(true);
    takeHelpOption(command);
    command.setParameterExceptionHandler((wrong, ignored) -> refuse(wrong.getCommandLine(), wrong));
    command.setExecutionExceptionHandler((thrown, failed, ignored) -> {
      if (thrown instanceof UserError error) {
        return refuse(failed, error);
      }
      throw thrown;
    });
    return command;
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

  /** One sentence, not a page of usage: the page is one command away. */
  private static int refuse(CommandLine command, Exception wrong) {
    PrintWriter out = command.getErr();
    String name = command.getCommandName();
    out.printf(
        "sluice: %s%s%n",
        sentence(String.valueOf(wrong.getMessage())),
        wrong instanceof UserError
            ? ""
            : " See './sluice help%s'.".formatted(name.equals("sluice") ? "" : " " + name));
    return wrong instanceof UserError error ? error.exitCode() : WRONG_USAGE;
  }

  private static String sentence(String message) {
    String line = message.strip().replaceAll("\\s*\\R\\s*", " ");
    return line.endsWith(".") ? line : line + ".";
  }
}
