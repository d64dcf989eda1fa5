package dev.sluice.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code sluice version}: prints the version of this program. */
@Command(name = "version", description = "Print the version.")
final class VersionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().getOut().println("sluice " + version());
    spec.commandLine().getOut().flush();
    return 0;
  }

  /** The version of this program; {@code development} where it was not packaged. */
  static String version() {
    String version = Main.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
