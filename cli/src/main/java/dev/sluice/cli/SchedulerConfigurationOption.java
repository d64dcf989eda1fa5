package dev.sluice.cli;

import dev.sluice.controllers.configuration.InvalidConfigurationException;
import dev.sluice.controllers.configuration.SchedulerConfiguration;
import dev.sluice.controllers.configuration.SchedulerConfigurationFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How pods are scheduled, the same way for every command that does so. */
final class SchedulerConfigurationOption {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--scheduler-config",
      paramLabel = "FILE",
      description =
          "kube-scheduler's configuration file: only pods that ask for one of its profiles are"
              + " scheduled, each as its profile says.")
  private Optional<Path> file = Optional.empty();

  boolean isGiven() {
    return file.isPresent();
  }

  /** Reads the file, if there is one, and says on standard error what in it has no effect. */
  Optional<SchedulerConfiguration> load() {
    return file.map(this::read);
  }

  private SchedulerConfiguration read(Path path) {
    try {
      var loaded = SchedulerConfigurationFile.read(TextFile.read(path));
      PrintWriter err = spec.commandLine().getErr();
      loaded.warnings().forEach(warning -> err.println(path + ": " + warning));
      err.flush();
      return loaded.configuration();
    } catch (InvalidConfigurationException invalid) {
      throw UserError.usage(path + ": " + invalid.getMessage());
    }
  }
}
