package dev.sluice.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(name = "version", description = "Print the version.")
final class VersionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    String version = Main.class.getPackage().getImplementationVersion();
    spec.commandLine().getOut().println("sluice " + (version == null ? "development" : version));
    spec.commandLine().getOut().flush();
    return 0;
  }
}
