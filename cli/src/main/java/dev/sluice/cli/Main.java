package dev.sluice.cli;

import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** The sluice command. */
@Command(
    name = "sluice",
    synopsisSubcommandLabel = "COMMAND",
    description = "The batch system for Kubernetes: queues, quotas and fairness for Jobs.",
    subcommands = {
      UpCommand.class,
      SimulateCommand.class,
      TestCommand.class,
      ManagerCommand.class,
      ExplainCommand.class,
      SnapshotCommand.class,
      WhatIfCommand.class,
      ReplayCommand.class,
      ImportCommand.class,
      VersionCommand.class,
      WarmUpCommand.class,
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
    ErrorReporter.prepare(command);
    return command;
  }
}
