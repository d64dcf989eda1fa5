package dev.sluice.cli;

import dev.sluice.controllers.nodes.KwokConfiguration;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The configuration of KWOK, the same for every command that simulates nodes. */
final class KwokConfigurationOption {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--kwok-config",
      paramLabel = "FILE",
      description =
          "KWOK's configuration file: the options of a KwokConfiguration hold, and its Stages,"
              + " ResourceUsages and Metrics are applied at the start.")
  private Optional<Path> file = Optional.empty();

  boolean isGiven() {
    return file.isPresent();
  }

  /** Reads the file, if there is one, and warns on standard error of settings without effect. */
  KwokConfiguration load() {
    return file.map(this::read).orElse(KwokConfiguration.NONE);
  }

  private KwokConfiguration read(Path path) {
    KwokConfiguration read = TextFile.configuration(path, KwokConfiguration::read);
    TextFile.warn(spec, path + ": ", read.warnings());
    return read;
  }
}
